"""Random numbers that are the same on every Python: SplitMix64, integers only."""

MASK = (1 << 64) - 1


def fingerprint(text):
    """FNV-1a of the text's UTF-8 bytes, 64 bits, with a final mix so that near texts differ everywhere."""
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8"):
        value = ((value ^ byte) * 0x100000001B3) & MASK
    return _mix(value)


def _mix(value):
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


class Stream:
    """One stream per dataset, named, so that changing one dataset leaves the others alone."""

    def __init__(self, name, seed=1111):
        self._state = (fingerprint(name) + seed) & MASK

    def bits(self):
        self._state = (self._state + 0x9E3779B97F4A7C15) & MASK
        return _mix(self._state)

    def below(self, limit):
        """0 .. limit-1; the bias of the product is below 2^-40 for the small limits used here."""
        return (self.bits() >> 11) * limit >> 53

    def between(self, low, high):
        """low .. high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent):
        return self.below(100) < percent

    def choice(self, items):
        return items[self.below(len(items))]

    def weighted(self, table):
        """table: pairs (item, integer weight)."""
        point = self.below(sum(weight for _, weight in table))
        for item, weight in table:
            if point < weight:
                return item
            point -= weight
        raise AssertionError("unreachable")

    def shuffled(self, items):
        items = list(items)
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items

    def sample(self, items, count):
        return self.shuffled(items)[:count]

    def affine(self, anchor, items):
        """An item that goes well with the anchor: the best of six draws by a fixed affinity.

        This gives each concept company of its own, which is what word vectors learn from.
        """
        drawn = [self.choice(items) for _ in range(6)]
        return max(drawn, key=lambda item: fingerprint(f"{anchor}|{item}"))
