// room.hpp -- processes of a team that are threads.
#pragma once

#include "team/transport.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace senteval::test {

/// Threads of this process that send each other messages.
class Room {
public:
    explicit Room(std::size_t size) : size_(size) {}

    class Seat final : public team::Transport {
    public:
        Seat(Room& room, std::size_t rank) : room_(room), rank_(rank) {}
        [[nodiscard]] std::size_t rank() const override { return rank_; }
        [[nodiscard]] std::size_t size() const override { return room_.size_; }
        [[nodiscard]] std::size_t processes_here() const override { return room_.size_; }
        std::optional<team::Message> poll() override
        {
            const std::lock_guard lock(room_.mutex_);
            if (room_.requests_.empty())
                return std::nullopt;
            team::Message message = std::move(room_.requests_.front());
            room_.requests_.pop_front();
            return message;
        }
        void reply(std::size_t process, const std::string& bytes) override
        {
            const std::lock_guard lock(room_.mutex_);
            room_.replies_[process] = bytes;
            room_.changed_.notify_all();
        }
        std::string request(const std::string& bytes) override
        {
            std::unique_lock lock(room_.mutex_);
            room_.requests_.push_back({rank_, bytes});
            room_.changed_.wait(lock, [&] { return room_.replies_.contains(rank_); });
            std::string reply = std::move(room_.replies_[rank_]);
            room_.replies_.erase(rank_);
            return reply;
        }

    private:
        Room& room_;
        std::size_t rank_;
    };

private:
    std::size_t size_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<team::Message> requests_;
    std::map<std::size_t, std::string> replies_;
};

} // namespace senteval::test
