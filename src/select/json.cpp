#include "select/json.hpp"

#include <cctype>
#include <charconv>
#include <cstdio>

#include "schedule/bounds.hpp"
#include "schedule/problem.hpp"

namespace hopbine::json {

const Value* Value::find(const std::string& key) const {
    for (const auto& [k, v] : members)
        if (k == key) return &v;
    return nullptr;
}

std::string at(const Value& v, const std::string& name) {
    return name + ":" + std::to_string(v.line) + ":" + std::to_string(v.column) + ": ";
}

std::string quote(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", c);
            out += escape;
        } else
            out += c;
    }
    return out + '"';
}

namespace {

constexpr int kDeepest =
    64;  // more nesting than any rules file needs, and far from overflowing the stack
constexpr std::size_t kMostValues = 1 << 20;  // more than kMostRules rules with all members have

class Reader {
public:
    Reader(const std::string& text, const std::string& name) : text_(text), name_(name) {}

    Value document() {
        Value v = value(0);
        blank();
        if (i_ < text_.size()) fail("something follows the end of the document");
        return v;
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        Value here;
        here.line = line_;
        here.column = static_cast<int>(i_ - line_start_) + 1;
        throw Error(at(here, name_) + why);
    }
    char peek() const { return i_ < text_.size() ? text_[i_] : '\0'; }
    char next() {
        const char c = peek();
        if (i_ < text_.size()) ++i_;
        if (c == '\n') {
            ++line_;
            line_start_ = i_;
        }
        return c;
    }
    void blank() {
        while (i_ < text_.size() &&
               (peek() == ' ' || peek() == '\n' || peek() == '\t' || peek() == '\r'))
            next();
    }
    void expect(char c) {
        blank();
        if (peek() != c)
            fail(std::string("expected '") + c + "'" +
                 (i_ < text_.size() ? ", found '" + shown(std::string(1, peek())) + "'"
                                    : ", found the end"));
        next();
    }
    bool take(char c) {
        blank();
        if (peek() != c) return false;
        next();
        return true;
    }

    Value value(int depth) {
        if (depth > kDeepest) fail("nested too deeply");
        if (++values_ > kMostValues) fail("more values than any rules file needs");
        blank();
        Value v;
        v.line = line_;
        v.column = static_cast<int>(i_ - line_start_) + 1;
        switch (peek()) {
        case '{': object(v, depth); break;
        case '[': array(v, depth); break;
        case '"':
            v.kind = Kind::string;
            v.string = string();
            break;
        case 't':
            word("true");
            v.kind = Kind::boolean;
            v.boolean = true;
            break;
        case 'f':
            word("false");
            v.kind = Kind::boolean;
            break;
        case 'n': word("null"); break;
        default: number(v);
        }
        return v;
    }

    void object(Value& v, int depth) {
        v.kind = Kind::object;
        expect('{');
        if (take('}')) return;
        do {
            blank();
            if (peek() != '"') fail("expected a name in double quotes");
            std::string key = string();
            if (v.find(key)) fail("\"" + shown(key) + "\" is given twice");
            if (v.members.size() == kMostMembers)
                fail("an object has more than " + std::to_string(kMostMembers) + " members");
            expect(':');
            v.members.emplace_back(std::move(key), value(depth + 1));
        } while (take(','));
        expect('}');
    }

    void array(Value& v, int depth) {
        v.kind = Kind::array;
        expect('[');
        if (take(']')) return;
        do v.items.push_back(value(depth + 1));
        while (take(','));
        expect(']');
    }

    void word(const char* w) {
        for (; *w; ++w)
            if (next() != *w) fail("expected true, false, null, a number, a string, '[' or '{'");
    }

    void number(Value& v) {
        const auto digit = [&](std::size_t i) {
            return i < text_.size() && text_[i] >= '0' && text_[i] <= '9';
        };
        const std::size_t first = i_ + (peek() == '-');
        if (!digit(first)) fail("expected a value");
        // from_chars rejects hexadecimal and plus signs. It accepts 01, 1. and 1.e5, which JSON
        // forbids.
        std::size_t i = first;
        while (digit(i)) ++i;
        if ((text_[first] == '0' && i > first + 1) ||
            (i < text_.size() && text_[i] == '.' && !digit(i + 1)))
            fail("this is no number in JSON");
        const char *begin = text_.data() + i_, *end = text_.data() + text_.size();
        const auto [stop, wrong] = std::from_chars(begin, end, v.number);
        if (wrong != std::errc()) fail("this number is out of range");
        v.kind = Kind::number;
        i_ += static_cast<std::size_t>(stop - begin);
    }

    std::string string() {
        std::string out;
        next();
        while (peek() != '"') {
            if (i_ >= text_.size() || peek() == '\n') fail("a string is not closed");
            char c = next();
            if (c != '\\') {
                out += c;
                continue;
            }
            switch (c = next()) {
            case 'n': out += '\n'; break;
            case 't': out += '\t'; break;
            case 'r': out += '\r'; break;
            case 'b': out += '\b'; break;
            case 'f': out += '\f'; break;
            case '"':
            case '\\':
            case '/': out += c; break;
            case 'u': utf8(out, escaped()); break;
            default: fail("unknown escape in a string");
            }
        }
        next();
        return out;
    }

    std::uint32_t hexadecimal() {
        std::uint32_t out = 0;
        for (int k = 0; k < 4; ++k) {
            const char c = next();
            if (!std::isxdigit(static_cast<unsigned char>(c)))
                fail("\\u needs four hexadecimal digits");
            out = out * 16 + static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        }
        return out;
    }

    /// The character of \uXXXX, or of two of them that form a surrogate pair.
    std::uint32_t escaped() {
        const std::uint32_t high = hexadecimal();
        if (high < 0xD800 || high > 0xDFFF) return high;
        if (high > 0xDBFF || next() != '\\' || next() != 'u') fail("\\u of half a surrogate pair");
        const std::uint32_t low = hexadecimal();
        if (low < 0xDC00 || low > 0xDFFF) fail("\\u of half a surrogate pair");
        return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    }

    static void utf8(std::string& out, std::uint32_t c) {
        const auto rest = [&](int shift) {
            out += static_cast<char>(0x80 | ((c >> shift) & 0x3F));
        };
        if (c < 0x80)
            out += static_cast<char>(c);
        else if (c < 0x800)
            out += static_cast<char>(0xC0 | (c >> 6)), rest(0);
        else if (c < 0x10000)
            out += static_cast<char>(0xE0 | (c >> 12)), rest(6), rest(0);
        else
            out += static_cast<char>(0xF0 | (c >> 18)), rest(12), rest(6), rest(0);
    }

    const std::string& text_;
    const std::string& name_;
    std::size_t i_ = 0, line_start_ = 0, values_ = 0;
    int line_ = 1;
};

}  // namespace

Value parse(const std::string& text, const std::string& name) {
    return Reader(text, name).document();
}

}  // namespace hopbine::json
