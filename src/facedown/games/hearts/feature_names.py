"""The names of what a player of Hearts may look at, by the kind of choice: the columns that features.py writes, in order."""

PASS_NAMES = (
    "queen of spades",
    "queen of spades, by the other spades held",
    "ace or king of spades",
    "ace or king of spades, by the other spades held",
    "lower spade",
    "lower spade, with a higher one held",
    "heart",
    "heart, by rank",
    "heart, by hearts below it",
    "by rank",
    "by rank squared",
    "by cards held below it",
    "by length of the suit",
    "the last of a suit",
    "club",
    "high card of a strong hand",
    "low card of a strong hand",
    "heart of a strong hand",
)
LEAD_NAMES = (
    "spade",
    "heart",
    "nobody else has the suit",
    "share of lower cards out",
    "share of lower cards out, squared",
    "nobody can beat it",
    "by length of the suit",
    "the last of a suit",
    "the lowest held of the suit",
    "by tricks played in the suit",
    "spade under the queen, who is out",
    "ace or king of spades, queen out",
    "queen of spades",
    "spade, with the queen held",
    "nobody can beat it, alone with points",
    "share of lower cards out, alone with points",
    "nobody can beat it, by strength",
    "share of lower cards out, by strength",
    "nobody can beat it, strong and alone with points",
    "heart, by strength",
    "heart, alone with points",
    "nobody can beat it, another collects",
    "heart, another collects",
    "share of lower cards out, another collects",
)
FOLLOW_NAMES = (
    "over",
    "over, last to play",
    "over, trick with points",
    "over, by points",
    "over, last and with points",
    "over, by higher cards out",
    "over, the highest held",
    "over, by rank",
    "under, the highest held below",
    "under, by rank",
    "under, queen of spades",
    "over, queen of spades",
    "ace or king of spades over, queen out",
    "ace or king of spades, queen out, last to play",
    "by rank, first trick",
    "over, alone with points",
    "over, by strength",
    "over, strong and alone with points",
    "over with points, alone with points",
    "over with points, by strength",
    "by rank, by strength",
    "over, another collects",
    "over with points, another collects and wins",
    "by share of lower cards out",
)
DISCARD_NAMES = (
    "queen of spades",
    "ace or king of spades, queen out",
    "spade, queen out",
    "heart",
    "heart, by rank",
    "by rank",
    "share of lower cards out",
    "nobody can beat it",
    "the last of a suit",
    "by length of the suit",
    "nobody else has the suit",
    "high card, first trick",
    "points, alone with points",
    "points, by strength",
    "share of lower cards out, alone with points",
    "share of lower cards out, by strength",
    "points, another collects and wins",
    "points, another collects and does not win",
    "share of lower cards out, another collects",
    "queen of spades to a collector",
)
PASS, LEAD = 0, len(PASS_NAMES)
FOLLOW = LEAD + len(LEAD_NAMES)
DISCARD = FOLLOW + len(FOLLOW_NAMES)
END = DISCARD + len(DISCARD_NAMES)

FEATURES = tuple(
    f"{kind}: {name}"
    for kind, names in (
        ("pass", PASS_NAMES),
        ("lead", LEAD_NAMES),
        ("follow", FOLLOW_NAMES),
        ("discard", DISCARD_NAMES),
    )
    for name in names
)

SEAT_FEATURES = (
    "always",
    "strength",
    "strength squared",
    "losing cards",
    "losing hearts",
    "longest suit",
    "length without losers",
    "collects: losing cards",
    "collects: suits that somebody stops",
    "collects: by rank",
    "collects: runs every suit",
)
COLLECTS = 7  # the first of those of a seat alone with half of all points; 0 for all others
