// architecture.hpp -- the six models of Wieting, Bansal, Gimpel and Livescu (ICLR 2016), what their
// parameters are called, and how they spell a token.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::paragram {

enum class Kind {
    word,               ///< mean of the word vectors (equation 1)
    projection,         ///< a linear map of it (2)
    dan,                ///< a deep averaging network: layers with an activation above the mean
    rnn,                ///< last state of a recurrent network (3, 4)
    identity_rnn,       ///< linear, begins as the identity, divided by the number of tokens
    lstm,               ///< last state of an LSTM with peepholes (5 to 10)
    lstm_no_output_gate ///< the same with o = 1
};

inline constexpr std::array<std::pair<std::string_view, Kind>, 7> kind_names{{
    {"word", Kind::word},
    {"projection", Kind::projection},
    {"dan", Kind::dan},
    {"rnn", Kind::rnn},
    {"identity-rnn", Kind::identity_rnn},
    {"lstm", Kind::lstm},
    {"lstm-no-output-gate", Kind::lstm_no_output_gate},
}};

enum class Activation { identity, tanh, relu };

inline constexpr std::array<std::pair<std::string_view, Activation>, 3> activation_names{{
    {"identity", Activation::identity},
    {"tanh", Activation::tanh},
    {"relu", Activation::relu},
}};

/// Everything that fixes the number and the meaning of the parameters.
struct Architecture {
    Kind kind = Kind::word;
    Activation activation = Activation::identity; ///< of dan and rnn
    std::size_t inputs = 0;                       ///< dimension of the word vectors
    std::size_t outputs = 0;                      ///< of the sentence vectors
    std::size_t layers = 1;                       ///< of dan

    /// Reads the words one after the other; the others read their mean.
    [[nodiscard]] bool is_recurrent() const noexcept
    {
        return kind != Kind::word && kind != Kind::projection && kind != Kind::dan;
    }
    [[nodiscard]] bool is_lstm() const noexcept
    {
        return kind == Kind::lstm || kind == Kind::lstm_no_output_gate;
    }
    /// Blocks of rows of an LSTM's matrices: input gate, forget gate, cell, output gate.
    [[nodiscard]] std::size_t gates() const noexcept
    {
        return kind == Kind::lstm ? 4 : kind == Kind::lstm_no_output_gate ? 3 : 1;
    }

    friend bool operator==(const Architecture&, const Architecture&) = default;
};

/// A matrix, or a vector of one row, among the compositional parameters, row-major.
struct Parameter {
    std::string
        name; ///< as in the paper; an LSTM's W_x, W_h and b hold the gates' one below the other
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t offset = 0; ///< of its first value

    [[nodiscard]] std::size_t size() const noexcept { return rows * columns; }
};

/// All but the word vectors, in the order in which they are stored. An LSTM's peepholes W_ci, W_cf and W_co
/// are diagonal, as those of Gers, Schraudolph and Schmidhuber (2003): a cell sees into its own gates.
std::vector<Parameter> parameters_of(const Architecture& architecture);

std::size_t parameter_count(const Architecture& architecture);

/// The word whose vector stands for those that have none.
inline constexpr std::string_view unknown_word = "UUUNKKK";

/// How a token is looked up: in lower case (Unicode's simple mapping), and one of more than one
/// byte that begins with '#' without any '#'.
std::string normalised(std::string_view token);

} // namespace senteval::paragram
