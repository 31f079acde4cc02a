// files.hpp -- the small files of a model's folder: JSON and lines of text.
#pragma once

#include "base/refuse.hpp"

#include <senteval/encoder.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::model_files {

using Json = nlohmann::json;

/// A JSON text from a file that nobody vouches for. Numbers with a fraction are read as the tokenizers library reads
/// them: exactly up to 15 digits, with more perhaps one unit in the last place off the nearest double, on which the
/// choice between paths of a Unigram model may hang. Throws sdk::Error naming `path`.
Json parse_json(const std::filesystem::path& path, std::string_view bytes);

/// The same of a regular file of at most 256 MB; read_json_if() of one that need not be there: an empty object then.
Json read_json(const std::filesystem::path& path);
Json read_json_if(const std::filesystem::path& path);

/// The lines of a file, without their ends.
std::vector<std::string> read_lines(const std::filesystem::path& path);

/// The files of a model's folder that can change a vector, relative to it, each on a line of its own: .json, .txt, .model
/// and .safetensors in the folder and in those that modules.json names. Other formats of the same weights do not count.
std::string model_files_of(const std::filesystem::path& folder);

/// Warns that `cut` of a task's `total` texts are longer than an encoder reads, where there are such.
void warn_of_cut(const sdk::Host& host,
                 const sdk::Task& task,
                 std::size_t cut,
                 std::size_t total,
                 std::size_t most,
                 const char* unit = "tokens");

/// The keys of `object` that say something (null, false and empty say nothing), and are none of `known`, which are
/// separated by blanks.
std::vector<std::string> other_keys(const Json& object, std::string_view known);

/// Throws std::invalid_argument naming the first of other_keys().
void allow_keys(const Json& object, std::string_view known);

/// Tells the user of other_keys(), which stands in results.
void warn_of_others(const sdk::Host& host,
                    const std::filesystem::path& path,
                    const Json& object,
                    std::string_view known);

/// The member `key`, where it is there and not null. Throws Json::exception where it is of another type.
template <typename T>
std::optional<T> member(const Json& object, std::string_view key)
{
    const auto found = object.find(key);
    if (found == object.end() || found->is_null())
        return std::nullopt;
    return found->template get<T>();
}

/// The member `key`, a whole number from `least` to a million. Throws std::length_error where it is none.
std::size_t count_of(const Json& object, const char* key, std::size_t least = 1);

/// Throws std::invalid_argument where a step or model of a tokenizer has a key that its type does not know.
void allow_step(const Json& step);

/// The members of a Sequence, which are under `key`, with those of a Sequence among them; of null nothing, else the one.
std::vector<Json> members_of(const Json& spec, const char* key);

/// Calls `read`, and turns what Json throws, where a member is missing or of a wrong type, std::length_error (what
/// cannot be) and std::invalid_argument (what is not computed) into an sdk::Error that names the file.
template <typename Read>
auto reading(const std::filesystem::path& path, Read&& read)
{
    try {
        return read();
    } catch (const Json::exception& e) {
        const std::string_view what = e.what();
        base::refuse(path, "is damaged: {}", what.substr(what.find("] ") + 2));
    } catch (const std::length_error& e) {
        base::refuse(path, "is damaged: {}", e.what());
    } catch (const std::invalid_argument& e) {
        base::refuse(path,
                     "has {}, which is not computed here. The encoders 'python', 'process' and "
                     "'http' evaluate any model that another program computes",
                     e.what());
    }
}

} // namespace senteval::model_files
