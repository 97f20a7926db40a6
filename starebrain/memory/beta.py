"""The Beta distribution as far as memory needs it; no library of the light install has it."""

from __future__ import annotations

from math import exp, lgamma, log, log1p

_TINY = 1e-300
_ENOUGH = 1e-14
_STEPS = 300


def cdf(x: float, a: float, b: float) -> float:
    """P(X ≤ x) for X ~ Beta(a, b): the regularised incomplete beta function, by its continued fraction.

    `x` 0 to 1, `a` and `b` above 0; right to about 1e-12 up to a + b = 10,000. Lentz's method, as DLMF 8.17.22.
    """
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x > (a + 1) / (a + b + 2):
        return 1.0 - front * _fraction(1 - x, b, a) / b
    return front * _fraction(x, a, b) / a


def _fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away(1 + term * d)
            c = _away(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < _ENOUGH:
            break
    return value


def _away(x: float) -> float:
    """`x`, or a tiny number in place of nought."""
    return x if abs(x) > _TINY else _TINY
