"""How a hint is compared with what a phone has: words, likeness, posterior, tiers."""
