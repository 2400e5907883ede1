"""What is understood without AI, by language and part: `python -m benchmarks.understanding [PART] [--wrong]`.

Of the four wishes (remember, forget, know, undo), how many; how many wishes are taken for another; and how many
sentences that are no order are taken for one. The last column is of the word lists alone. `--wrong` prints what is
taken for something else, but of what was kept aside.
"""

from __future__ import annotations

import sys

from tests.wishes import NO_WISHES, ORDERS, PARTS, WISHES, languages_of, score
from urmom_bot.talk import grammar


def main() -> None:
    for part in [part for part in PARTS if part in sys.argv] or PARTS:
        print(part)
        for language in languages_of(part):
            found, listed = score(language, part), score(language, part, grammar.parse_listed)
            parts = " ".join(f"{kind} {found.understood[kind]}/{found.total[kind]}" for kind in found.total)
            wishes, orders = (sum(found.total[wish] for wish in kinds) for kinds in (WISHES, ORDERS))
            others = sum(found.total[kind] for kind in NO_WISHES)
            print(
                f"  {language}: {found.share:.1%} of {wishes}; taken for another {len(found.inverted)} of {orders};"
                f" no order taken for one {len(found.false_orders)} of {others} ({found.false_share:.1%});"
                f" kept in other words {len(found.misheard)}. {parts}; by the word lists alone {listed.share:.1%}"
            )
            if "--wrong" in sys.argv and part != "aside":
                for wanted, kind, text in (*found.inverted, *found.false_orders):
                    print(f"    {wanted} taken for {kind}: {text}")


if __name__ == "__main__":
    main()
