// spilled_block.hpp -- floats in a file on a disk, for want of memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace senteval::core {

/// Zeros that are mapped from a file without a name: it is gone with this object, or with the process, whatever
/// ends it. The space is taken from the disk at once, so that a full disk is an error here and no signal
/// later. The first float begins at a page. Movable; the floats stay where they are.
class SpilledBlock {
public:
    SpilledBlock() = default;

    /// Throws base::Error naming the folder and the system's reason.
    SpilledBlock(const std::filesystem::path& folder, std::size_t count);
    SpilledBlock(const SpilledBlock&) = delete;
    SpilledBlock& operator=(const SpilledBlock&) = delete;
    SpilledBlock(SpilledBlock&& other) noexcept;
    SpilledBlock& operator=(SpilledBlock&& other) noexcept;
    ~SpilledBlock();

    [[nodiscard]] float* get() const noexcept { return floats_.data(); }

private:
    std::span<float> floats_;
};

/// Throws base::UsageError where nothing can be spilled into `folder`: it must be there, and take files.
void require_spill_folder(const std::filesystem::path& folder);

} // namespace senteval::core
