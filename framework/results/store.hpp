// store.hpp -- results on disk: what is finished stays, whatever happens next.
//
//     STORE/<encoder>-<fingerprint>/<Task>-<protocol>.json    the result, see result.schema.json
//     STORE/<encoder>-<fingerprint>/<Task>-<protocol>.items   the outcome of every test item
//     STORE/<encoder>-<fingerprint>/<computer>.cost           what the encoder costs there, see cost.hpp
//
// A result exists once its .json does; the .items file is written before it. Both are replaced
// atomically, so a kill at any moment loses at most the cell in progress, and several processes may
// write to one store.
#pragma once

#include "base/json.hpp"
#include "results/items.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace senteval::results {

/// A finished cell: one encoder on one task under one protocol.
struct Cell {
    base::Json document; ///< see result.schema.json
    Items items;
};

/// Where finished cells go, and are found again.
class CellStore {
public:
    CellStore() = default;
    CellStore(const CellStore&) = default;
    CellStore& operator=(const CellStore&) = default;
    CellStore(CellStore&&) = default;
    CellStore& operator=(CellStore&&) = default;
    virtual ~CellStore() = default;

    /// Adds what ties outcomes and document together to the document. Throws base::Error.
    virtual void save(Cell& cell) const = 0;

    /// The stored cell with the same encoder, task and protocol, when it is complete; where another process
    /// found it, without its items.
    [[nodiscard]] virtual std::optional<Cell> find(const base::Json& document) const = 0;
};

/// A folder of results.
class Store final : public CellStore {
public:
    explicit Store(std::filesystem::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

    /// Fails early: makes the folder and a file in it. Throws base::UsageError with the reason.
    void check_writable() const;

    /// The same without making anything: asks the folder, or the nearest one above that is there.
    void check_creatable() const;

    void save(Cell& cell) const override;
    [[nodiscard]] std::optional<Cell> find(const base::Json& document) const override;

    /// Every complete cell, ordered by path: each .json in a folder of the store. A
    /// damaged one is reported in `problems` and left out.
    [[nodiscard]] std::vector<Cell> load_all(std::vector<std::string>& problems) const;

    /// The documents alone, in that order, whatever their items; damaged ones are left out.
    [[nodiscard]] std::vector<base::Json> documents() const;

    /// Removes a cell: its document first, so that at no moment one is there without its items; costs stay.
    void remove(const base::Json& document) const;

    /// Of an encoder on a computer by so many threads, in place of an earlier one.
    void save_cost(const base::Json& cost) const;

    /// Whether there is one like it: of the encoder, the computer and the threads.
    [[nodiscard]] bool has_cost(const base::Json& cost) const;

    /// All that can be read, by path.
    [[nodiscard]] std::vector<base::Json> costs() const;

    /// Where the document of a cell is, or would be.
    [[nodiscard]] std::filesystem::path path_of(const base::Json& document) const;

private:
    [[nodiscard]] std::filesystem::path cost_path_of(const base::Json& cost) const;

    std::filesystem::path folder_;
};

/// The files of costs in a store that Store::costs() does without, each in a sentence.
std::vector<std::string> damaged_costs(const std::filesystem::path& store);

} // namespace senteval::results
