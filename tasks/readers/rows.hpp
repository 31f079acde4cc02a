// rows.hpp -- files of rows with named fields, as MTEB's and BEIR's sets have them.
#pragma once

#include "core/error.hpp"
#include "core/json.hpp"
#include "task/data_folder.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::tasks {

/// A row of a file. All members throw core::Error naming file, line and field where that is not there or something else.
class NamedFields {
public:
    NamedFields(const core::Json& fields, std::string place)
        : fields_(fields), place_(std::move(place))
    {
    }

    /// A string, or a number as it is written.
    [[nodiscard]] std::string text(std::string_view field) const;
    [[nodiscard]] std::vector<std::string> texts(std::string_view field) const;
    [[nodiscard]] double number(std::string_view field) const;
    [[nodiscard]] std::vector<double> numbers(std::string_view field) const;
    /// One that may be missing; then, and where it is null, empty.
    [[nodiscard]] std::string text_or_nothing(std::string_view field) const;
    [[nodiscard]] bool has(std::string_view field) const;
    [[nodiscard]] bool is_list(std::string_view field) const;
    [[nodiscard]] const core::Json& fields() const noexcept { return fields_; }

    template <typename... Args>
    [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const
    {
        throw core::Error("{}: {}", place_, fmt::format(format, std::forward<Args>(args)...));
    }

private:
    [[nodiscard]] const core::Json& at(std::string_view field) const;

    const core::Json& fields_;
    std::string place_; ///< "file:line"
};

/// Calls `read` for each row of a file below the data folder, whose form its name tells (text/records.hpp). Throws
/// core::Error where it has none.
void each_row(task::DataFolder& data,
              const std::string& file,
              const std::function<void(const NamedFields&)>& read);

} // namespace senteval::tasks
