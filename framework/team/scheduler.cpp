#include "team/scheduler.hpp"

#include <algorithm>
#include <utility>

namespace senteval::team {

Scheduler::Scheduler(std::vector<Piece> pieces, std::size_t processes)
    : pieces_(std::move(pieces)),
      state_(pieces_.size(), State::waiting),
      is_open_(pieces_.size(), false),
      at_(processes),
      loaded_(processes)
{
    for (const Piece& piece : pieces_) {
        encoders_ = std::max(encoders_, piece.encoder + 1);
        users_.resize(std::max(users_.size(), piece.vectors + 1));
        ++users_[piece.vectors];
    }
    vectors_.resize(users_.size(), Vectors::none);
}

bool Scheduler::shares_vectors(std::size_t piece) const
{
    return users_[pieces_[piece].vectors] > 1 || is_open_[piece];
}

bool Scheduler::is_free(std::size_t piece) const
{
    return state_[piece] == State::waiting &&
           vectors_[pieces_[piece].vectors] != Vectors::in_making;
}

bool Scheduler::is_waiting() const
{
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece)
        if (state_[piece] == State::waiting || is_open_[piece])
            return true;
    return false;
}

/// Whether the piece alone may keep a process at work when the others are done with all that is left: from a
/// quarter of a process's share on, as costs are estimates.
bool Scheduler::is_dear(std::size_t piece) const
{
    constexpr double slack = 4;
    double left = 0;
    for (std::size_t at = 0; at < pieces_.size(); ++at)
        if (state_[at] == State::waiting)
            left += pieces_[at].cost;
    return at_.size() > 1 && pieces_[piece].cost * slack * static_cast<double>(at_.size()) > left;
}

/// Where a piece that is about to begin is too dear for one process.
void Scheduler::divide(std::size_t number)
{
    if (!pieces_[number].divisible || !is_dear(number))
        return;
    if (pieces_[number].cells > 1) {
        Piece rest = pieces_[number];
        const double cell = rest.cost / static_cast<double>(rest.cells);
        ++rest.first;
        --rest.cells;
        rest.cost -= cell;
        pieces_[number].cells = 1;
        pieces_[number].cost = cell;
        ++users_[rest.vectors];
        pieces_.push_back(rest);
        state_.push_back(State::waiting);
        is_open_.push_back(false);
    }
    is_open_[number] = pieces_[number].fit_jobs > 1 && is_dear(number);
}

std::optional<std::size_t> Scheduler::dearest_of(std::size_t encoder) const
{
    std::optional<std::size_t> best;
    for (std::size_t at = 0; at < pieces_.size(); ++at)
        if (pieces_[at].encoder == encoder && is_free(at) &&
            (!best || pieces_[at].cost > pieces_[*best].cost))
            best = at;
    return best;
}

std::optional<std::size_t> Scheduler::neediest_encoder() const
{
    std::vector<double> cost(encoders_, 0);
    for (std::size_t at = 0; at < pieces_.size(); ++at)
        if (is_free(at))
            cost[pieces_[at].encoder] += pieces_[at].cost;
    std::vector<double> processes(encoders_, 1); // the one that asks included
    for (const auto& piece : at_)
        if (piece)
            processes[pieces_[*piece].encoder] += 1;
    std::optional<std::size_t> best;
    for (std::size_t encoder = 0; encoder < encoders_; ++encoder)
        if (cost[encoder] > 0 &&
            (!best || cost[encoder] / processes[encoder] > cost[*best] / processes[*best]))
            best = encoder;
    return best;
}

std::optional<std::size_t> Scheduler::next(std::size_t process)
{
    vectors_ready(process); // where the piece failed before it had any
    if (at_[process]) {
        state_[*at_[process]] = State::done;
        is_open_[*at_[process]] = false;
    }
    at_[process].reset();

    auto piece = loaded_[process] ? dearest_of(*loaded_[process]) : std::nullopt;
    if (!piece)
        if (const auto encoder = neediest_encoder())
            piece = dearest_of(*encoder);
    if (!piece)
        return std::nullopt;
    divide(*piece);
    at_[process] = piece;
    loaded_[process] = pieces_[*piece].encoder;
    state_[*piece] = State::running;
    Vectors& vectors = vectors_[pieces_[*piece].vectors];
    if (vectors == Vectors::none && shares_vectors(*piece))
        vectors = Vectors::in_making;
    return piece;
}

void Scheduler::leave(std::size_t process)
{
    vectors_ready(process);
    if (at_[process]) {
        state_[*at_[process]] = State::waiting;
        is_open_[*at_[process]] = false;
    }
    at_[process].reset();
}

void Scheduler::vectors_ready(std::size_t process)
{
    if (at_[process])
        vectors_[pieces_[*at_[process]].vectors] = Vectors::ready;
}

} // namespace senteval::team
