/// A small strict JSON parser; errors have line and column.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hopbine::json {

enum class Kind { null, boolean, number, string, array, object };

struct Value {
    Kind kind = Kind::null;
    bool boolean = false;
    double number = 0;
    std::string string;
    std::vector<Value> items;                            ///< array
    std::vector<std::pair<std::string, Value>> members;  ///< object, in file order
    int line = 0, column = 0;

    const Value* find(const std::string& key) const;
};

/// Parses a text. Throws hopbine::Error "NAME:LINE:COLUMN: reason".
Value parse(const std::string& text, const std::string& name);
/// "NAME:LINE:COLUMN: ", the start of an error about a value.
std::string at(const Value& v, const std::string& name);
/// Text with quotes and escapes.
std::string quote(const std::string& text);

}  // namespace hopbine::json
