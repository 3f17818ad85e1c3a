/// Views as bytes, to send them to another node. Both nodes run the same hopbine.
#pragma once
#include <concepts>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace hopbine::watch {

/// Appends values to a text.
class Writer {
public:
    template <class T>
    void operator()(const T& value) {
        if constexpr (requires(T t) { t.with(*this); })
            const_cast<T&>(value).with(*this);
        else
            text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void operator()(const std::string& value) { all(value); }
    template <class T>
    void operator()(const std::vector<T>& values) {
        all(values);
    }
    const std::string& text() const { return text_; }

private:
    template <class Sequence>
    void all(const Sequence& values) {
        (*this)(static_cast<std::uint32_t>(values.size()));
        for (const auto& v : values) (*this)(v);
    }
    std::string text_;
};

/// Takes values from a text. Throws std::runtime_error where it is too short.
class Reader {
public:
    explicit Reader(const std::string& text) : text_(text) {}
    template <class T>
    void operator()(T& value) {
        if constexpr (requires(T t) { t.with(*this); }) {
            value.with(*this);
        } else {
            need(sizeof value);
            std::memcpy(&value, text_.data() + at_, sizeof value);
            at_ += sizeof value;
        }
    }
    void operator()(std::string& value) { all(value); }
    template <class T>
    void operator()(std::vector<T>& values) {
        all(values);
    }

private:
    void need(std::size_t bytes) const {
        if (text_.size() - at_ < bytes) throw std::runtime_error("a view is too short");
    }
    template <class Sequence>
    void all(Sequence& values) {
        std::uint32_t count = 0;
        (*this)(count);
        need(count);  // each takes a byte or more
        values.resize(count);
        for (auto& v : values) (*this)(v);
    }
    const std::string& text_;
    std::size_t at_ = 0;
};

}  // namespace hopbine::watch
