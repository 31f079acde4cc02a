// An encoder that throws, in each of its functions, what the SDK has to turn into a status: its
// parameter `where` is create, prepare, dimension, encode or count_known, and `what` is error
// (senteval::sdk::Error), standard (std::runtime_error), memory (std::bad_alloc), foreign (an int)
// or ok_error (an Error that claims success).
#include <senteval/encoder.hpp>

#include <new>
#include <stdexcept>
#include <string>

namespace {

using senteval::sdk::Batch;
using senteval::sdk::Call;
using senteval::sdk::Error;
using senteval::sdk::Matrix;
using senteval::sdk::Task;

class Throwing {
public:
    static constexpr senteval::sdk::Descriptor descriptor{
        .id = "bad.throwing",
        .name = "Throwing",
        .version = "1.0",
        .description = "Throws where its parameter asks.",
    };
    static constexpr senteval_param_spec params[] = {
        senteval::sdk::param("where", "encode", "The function that throws."),
        senteval::sdk::param("what", "error", "What it throws."),
    };

    explicit Throwing(const senteval::sdk::Setup& setup)
        : where_(setup.params.get("where", "encode")), what_(setup.params.get("what", "error"))
    {
        maybe_throw("create");
    }

    void prepare(Call&, const Task&, Batch) { maybe_throw("prepare"); }

    [[nodiscard]] std::size_t dimension() const
    {
        maybe_throw("dimension");
        return 1;
    }

    void encode(Call&, Batch batch, Matrix out)
    {
        maybe_throw("encode");
        for (std::size_t i = 0; i < batch.size(); ++i)
            out.row(i)[0] = 0.0F;
    }

    void
    count_known(Batch batch, std::span<std::uint32_t> tokens, std::span<std::uint32_t> known) const
    {
        maybe_throw("count_known");
        for (std::size_t i = 0; i < batch.size(); ++i)
            tokens[i] = known[i] = 0;
    }

private:
    void maybe_throw(const char* here) const
    {
        if (where_ != here)
            return;
        if (what_ == "error")
            throw Error(SENTEVAL_UNSUPPORTED, "thrown in " + where_);
        if (what_ == "ok_error")
            throw Error(SENTEVAL_OK, "thrown in " + where_);
        if (what_ == "standard")
            throw std::runtime_error("thrown in " + where_);
        if (what_ == "memory")
            throw std::bad_alloc();
        throw 42;
    }

    std::string where_;
    std::string what_;
};

} // namespace

SENTEVAL_PLUGIN(Throwing);
