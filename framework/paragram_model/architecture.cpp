#include "paragram_model/architecture.hpp"

#include "word_vectors/text_case.hpp"

namespace senteval::paragram {

namespace {

class Layout {
public:
    void add(std::string name, std::size_t rows, std::size_t columns)
    {
        parameters_.push_back({std::move(name), rows, columns, size_});
        size_ += rows * columns;
    }
    [[nodiscard]] std::vector<Parameter> take() { return std::move(parameters_); }

private:
    std::vector<Parameter> parameters_;
    std::size_t size_ = 0;
};

void add_layers(const Architecture& architecture, Layout& layout)
{
    std::size_t inputs = architecture.inputs;
    for (std::size_t layer = 1; layer <= architecture.layers; ++layer) {
        layout.add("W_" + std::to_string(layer), architecture.outputs, inputs);
        layout.add("b_" + std::to_string(layer), 1, architecture.outputs);
        inputs = architecture.outputs;
    }
}

void add_recurrence(const Architecture& architecture, Layout& layout)
{
    const std::size_t rows = architecture.gates() * architecture.outputs;
    layout.add("W_x", rows, architecture.inputs);
    layout.add("W_h", rows, architecture.outputs);
    layout.add("b", 1, rows);
    if (!architecture.is_lstm())
        return;
    layout.add("W_ci", 1, architecture.outputs);
    layout.add("W_cf", 1, architecture.outputs);
    if (architecture.kind == Kind::lstm)
        layout.add("W_co", 1, architecture.outputs);
}

} // namespace

std::vector<Parameter> parameters_of(const Architecture& architecture)
{
    Layout layout;
    if (architecture.kind == Kind::projection) {
        layout.add("W_p", architecture.outputs, architecture.inputs);
        layout.add("b", 1, architecture.outputs);
    } else if (architecture.kind == Kind::dan) {
        add_layers(architecture, layout);
    } else if (architecture.is_recurrent()) {
        add_recurrence(architecture, layout);
    }
    return layout.take();
}

std::size_t parameter_count(const Architecture& architecture)
{
    std::size_t count = 0;
    for (const Parameter& parameter : parameters_of(architecture))
        count += parameter.size();
    return count;
}

std::string normalised(std::string_view token)
{
    std::string word = word_vectors::lower_case(token);
    if (word.size() > 1 && word.front() == '#')
        std::erase(word, '#');
    return word;
}

} // namespace senteval::paragram
