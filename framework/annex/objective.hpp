// objective.hpp -- the loss of a batch and its gradient (Wieting et al. 2016, without the penalties),
// on the threads of a team: the margin loss of equation 11, or that of a similarity head on judged
// pairs (similarity_head.hpp).
//
// For a pair (x1, x2) with negatives t1 and t2 the loss is
//
//     [d - cos(x1, x2) + cos(x1, t1)]+ + [d - cos(x1, x2) + cos(x2, t2)]+,
//
// and that of a batch the mean over its pairs. The cosine with a zero vector is 0.
#pragma once

#include "annex/batch.hpp"
#include "annex/comparison.hpp"
#include "annex/similarity_head.hpp"
#include "annex/team.hpp"
#include "learn/aligned.hpp"
#include "paragram_model/composition.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::annex {

/// The source of a sentence's negative example.
enum class Negatives {
    max, ///< the nearest of the batch, but for itself and its partner (equation 12)
    mix  ///< that one, or with probability 1/2 any of the batch
};

inline constexpr std::array<std::pair<std::string_view, Negatives>, 2> negatives_names{{
    {"max", Negatives::max},
    {"mix", Negatives::mix},
}};

/// Vectors of all words, row-major; rows have zeros up to a whole line.
template <typename T>
struct WordMatrix {
    const T* values = nullptr;
    std::size_t stride = 0;

    [[nodiscard]] const T* row(Word word) const noexcept { return values + word * stride; }
};

/// Single precision trains, double precision is checked against finite differences. Every result is the same on
/// any number of threads.
template <typename T>
class Objective {
public:
    Objective(const paragram::Architecture& architecture,
              double margin,
              Negatives negatives,
              Team& team);
    /// An objective with a similarity head in place of the margin loss.
    Objective(const paragram::Architecture& architecture,
              const SimilarityHead<T>& head,
              Team& team);
    Objective(const Objective&) = delete;
    Objective& operator=(const Objective&) = delete;
    Objective(Objective&&) = delete;
    Objective& operator=(Objective&&) = delete;
    ~Objective();

    /// Makes room for a batch. By one thread, before the members compute it.
    void reserve(const Batch& batch);

    /// Computes loss and gradient of the batch. Every member of the team calls it within Team::run(). `coin` decides
    /// the random negatives of mix: another number for each batch. The head's parameters stand behind
    /// those of the model. Ends with a sync().
    void compute(unsigned member,
                 const Batch& batch,
                 const WordMatrix<T>& words,
                 std::span<const T> parameters,
                 std::uint64_t coin);

    [[nodiscard]] double loss() const noexcept { return loss_; } ///< of the batch

    /// Mean over pairs of 2 cos(x1, x2) - cos(x1, t1) - cos(x2, t2): how far apart pairs and negatives
    /// are. 0 with a similarity head.
    [[nodiscard]] double separation() const noexcept { return separation_; }

    /// The gradient with respect to the vector of batch.words[place], and zeros up to a whole line. After
    /// compute(), by a member.
    void word_gradient(unsigned member, const Batch& batch, std::size_t place, T* out);

    /// Writes the gradient with respect to the parameters [first, last) of the model and the head to `out`. After
    /// compute(), by any thread.
    void parameter_gradient(const Batch& batch, std::size_t first, std::size_t last, T* out) const;

private:
    struct Work;   // of a shard
    struct Member; // what a member works with

    void embed(unsigned member,
               const Batch& batch,
               std::size_t number,
               const WordMatrix<T>& words,
               std::span<const T> parameters);
    void read_tokens(const Batch& batch,
                     const Shard& shard,
                     const WordMatrix<T>& words,
                     T* inputs) const;
    void read_mean(Member& member,
                   const Batch& batch,
                   std::uint32_t sentence,
                   const WordMatrix<T>& words,
                   T* mean) const;
    void find_terms(const Batch& batch, std::uint64_t coin, Member& member) const;
    [[nodiscard]] OtherSentence<T>
    negative_of(const Batch& batch, std::uint32_t sentence, std::uint64_t coin) const;
    void sum_loss(const Batch& batch, const Member& member);
    void compute_head(const Batch& batch, std::span<const T> parameters);
    void backward(unsigned member,
                  const Batch& batch,
                  std::size_t number,
                  std::span<const T> parameters);
    void pull(Member& member, const Batch& batch, std::uint32_t sentence, T scale, T* out) const;
    [[nodiscard]] bool is_mean() const noexcept
    {
        return architecture_.kind == paragram::Kind::word;
    }

    paragram::Architecture architecture_;
    T margin_;
    Negatives negatives_;
    Team& team_;
    Comparison<T> comparison_;
    std::vector<std::unique_ptr<Work>> work_;
    std::vector<std::unique_ptr<Member>> members_;
    std::size_t input_stride_;              ///< the models' products take rows without gaps
    learn::AlignedVector<T> inputs_;        ///< by slot
    learn::AlignedVector<T> slot_gradient_; ///< by slot
    std::optional<SimilarityHead<T>> head_;
    std::vector<T> head_gradient_; ///< with respect to its parameters
    learn::AlignedVector<T>
        sentence_gradient_; ///< the head's, with respect to the sentence vectors
    double loss_ = 0;
    double separation_ = 0;
};

extern template class Objective<float>;
extern template class Objective<double>;

} // namespace senteval::annex
