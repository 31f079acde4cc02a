// store.hpp -- results on disk: what is finished stays, whatever happens next.
//
//     STORE/<encoder>-<fingerprint>/<Task>-<protocol>.json    the result, see result.schema.json
//     STORE/<encoder>-<fingerprint>/<Task>-<protocol>.items   the outcome of every test item
//     STORE/<encoder>-<fingerprint>/<Task>-<protocol>.ranking what a search found, see rankings.hpp
//     STORE/<encoder>-<fingerprint>/<Task>-<shown>.probe      what the encoder says, see run/versions.cpp
//     STORE/<encoder>-<fingerprint>/<computer>.cost           what the encoder costs there, see cost.hpp
//
// A result exists once its .json does; the .items file is written before it. Both are replaced
// atomically, so a kill at any moment loses at most the cell in progress, and several processes may
// write to one store.
#pragma once

#include "results/items.hpp"
#include "results/rankings.hpp"
#include "results/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace senteval::results {

/// A finished cell: one encoder on one task under one protocol.
struct Cell {
    Result result;
    Items items;
};

/// A folder of results.
class Store {
public:
    explicit Store(std::filesystem::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

    /// Fails early: makes the folder and a file in it. Throws base::UsageError with the reason.
    void check_writable() const;

    /// The same without making anything: asks the folder, or the nearest one above that is there.
    void check_creatable() const;

    /// Adds what ties outcomes and document together to the result. Throws base::Error, also as require_possible() does.
    void save(Cell& cell) const;

    /// Keeps the first `depth` documents of each query beside the result.
    void save_rankings(const Result& result, const Rankings& rankings, std::size_t depth) const;

    /// Those that were kept of the same encoder, protocol and data, at least `depth` deep.
    [[nodiscard]] std::optional<Rankings> rankings(const Result& result, std::size_t depth) const;

    /// The stored cell with the same encoder, task and protocol, when it is complete.
    [[nodiscard]] std::optional<Cell> find(const Result& result) const;

    /// Every complete cell, ordered by path: each .json in a folder of the store. A
    /// damaged one is reported in `problems` and left out.
    [[nodiscard]] std::vector<Cell> load_all(std::vector<std::string>& problems) const;

    /// The results alone, in that order, whatever their items; damaged ones are left out.
    [[nodiscard]] std::vector<Result> records() const;

    /// Removes a cell: its document first, so that at no moment one is there without its items; costs stay.
    /// Probes go with the last cell.
    void remove(const Result& result) const;

    /// Saves the cost of an encoder on a computer by so many threads, in place of an earlier one.
    void save_cost(const Cost& cost) const;

    /// Whether there is one like it: of the encoder, the computer and the threads.
    [[nodiscard]] bool has_cost(const Cost& cost) const;

    /// All, by path. What is no whole measurement is reported in `problems` and left out.
    [[nodiscard]] std::vector<Cost> costs(std::vector<std::string>& problems) const;

    /// Every file of what encoders say.
    [[nodiscard]] std::vector<std::filesystem::path> probes() const;

    /// Every file of what searches found.
    [[nodiscard]] std::vector<std::filesystem::path> rankings() const;

    /// Of all that is kept of an encoder.
    [[nodiscard]] std::filesystem::path folder_of(const Identity& encoder) const;

    /// Path of a cell's document, whether it is there or not.
    [[nodiscard]] std::filesystem::path path_of(const Result& result) const;

private:
    std::filesystem::path folder_;
};

} // namespace senteval::results
