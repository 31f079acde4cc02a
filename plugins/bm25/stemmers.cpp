#include "bm25/stemmers.hpp"

#include "base/fingerprint.hpp"

#include <senteval/encoder.hpp>

#include <memory>
#include <mutex>
#include <new>

#ifdef SENTEVAL_LIBSTEMMER
#include <libstemmer.h>
#endif

namespace senteval::bm25 {
#ifdef SENTEVAL_LIBSTEMMER
namespace {

/// One word at a time: it keeps the last stem.
class Snowball {
public:
    explicit Snowball(const std::string& language)
        : stemmer_(sb_stemmer_new(language.c_str(), "UTF_8"), &sb_stemmer_delete)
    {
        if (stemmer_)
            return;
        std::string names;
        for (const char* const* name = sb_stemmer_list(); *name != nullptr; ++name)
            names += std::string(names.empty() ? "" : ", ") + *name;
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         "parameter 'language' is '" + language.substr(0, 100) +
                             "', for which there are no stems; there are: en, " + names);
    }

    std::string stem(std::string_view word)
    {
        const std::lock_guard lock(mutex_);
        const auto* const letters = reinterpret_cast<const sb_symbol*>(word.data());
        const sb_symbol* const stem =
            sb_stemmer_stem(stemmer_.get(), letters, static_cast<int>(word.size()));
        if (stem == nullptr)
            throw std::bad_alloc();
        return {reinterpret_cast<const char*>(stem),
                static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()))};
    }

private:
    std::unique_ptr<sb_stemmer, void (*)(sb_stemmer*)> stemmer_;
    std::mutex mutex_;
};

} // namespace

Stem open_stemmer(const std::string& language)
{
    const auto snowball = std::make_shared<Snowball>(language);
    return [snowball](std::string_view word) { return snowball->stem(word); };
}
#else
Stem open_stemmer(const std::string& language)
{
    throw sdk::Error(SENTEVAL_UNSUPPORTED,
                     "parameter 'language' is '" + language.substr(0, 100) +
                         "', and this program was built without libstemmer: it has stems for en "
                         "only (tokens=words needs none)");
}
#endif

std::string fingerprint_of(const Stem& stem)
{
    std::string stems;
    for (const std::string_view word :
         {"häuser",      "arbeiteten",  "freundlichkeit", "continuellement", "mangerions",
          "heureuses",   "hablábamos",  "rápidamente",    "naciones",        "velocemente",
          "parlavano",   "ragazze",     "trabalhávamos",  "corações",        "lichamelijk",
          "vriendinnen", "flickorna",   "arbetade",       "husene",          "bygningerne",
          "taloissamme", "kirjoittaa",  "красивыми",      "работали",        "kitapların",
          "evlerimiz",   "könyveimben", "copiilor",       "universities",    "organization",
          "الكتاب",      "ανθρώπους",   "lietuviškų",     "leabharlanna"})
        stems += stem(word) + '\n';
    return base::fingerprint(stems);
}

} // namespace senteval::bm25
