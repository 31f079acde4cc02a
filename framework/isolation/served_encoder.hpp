// served_encoder.hpp -- a plugin in the process that serves it: each operation of the protocol as calls
// of its functions.
#pragma once

#include "core/descriptor.hpp"
#include "encoder/plugin_encoder.hpp"
#include "isolation/protocol.hpp"
#include "isolation/shared_buffer.hpp"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace senteval::isolation {

/// What one thread needs to serve; nothing of it is shared with another.
struct ServedLane {
    explicit ServedLane(unsigned lane_number)
        : number(lane_number),
          socket(passed::first_lane + static_cast<int>(3 * lane_number)),
          input(socket.number() + 1, SharedBuffer::Access::read),
          output(socket.number() + 2, SharedBuffer::Access::write)
    {
    }

    unsigned number;
    core::Descriptor socket;
    SharedBuffer input;
    SharedBuffer output;
    std::vector<text::Sentence> texts; ///< of the call at work
};

class ServedEncoder {
public:
    /// `stop` is what the encoder is told when it asks whether it is cancelled.
    ServedEncoder(Status& status, int log, std::stop_token stop);

    /// Carries out a request. Calls may overlap on different lanes where the program sends them so.
    /// Never throws: what fails is the status of the answer, with a text in the lane's output.
    [[nodiscard]] Answer answer(ServedLane& lane, const Request& request) noexcept;

private:
    void carry_out(ServedLane& lane, const Request& request, Answer& answer);
    void describe(ServedLane& lane, const Request& request, Answer& answer);
    void create(ServedLane& lane, const Request& request, Answer& answer);
    void prepare(ServedLane& lane, const Request& request);
    void encode(ServedLane& lane, const Request& request);
    void count_known(ServedLane& lane, const Request& request, Answer& answer);
    [[nodiscard]] encoder::CallContext context(const ServedLane& lane,
                                               const Request& request) const;
    void log(senteval_log_level level, std::string_view line) const noexcept;

    Status& status_;
    const int log_socket_;
    const std::stop_token stop_;
    SharedBuffer samples_;
    std::unique_ptr<encoder::PluginEncoder> encoder_;
};

} // namespace senteval::isolation
