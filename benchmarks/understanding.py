"""What the grammar understands without AI, by language and half: `python -m benchmarks.understanding [--wrong]`.

Of the four wishes (remember, forget, know, undo), how many; how many wishes are taken for another; and how many
sentences that are no order are taken for one. `--wrong` prints what is taken for something else.
"""

from __future__ import annotations

import sys

from tests.wishes import LANGUAGES, NO_WISHES, WISHES, score


def main() -> None:
    for kept_aside in (False, True) if "--open" not in sys.argv else (False,):
        print("kept aside" if kept_aside else "open")
        for language in LANGUAGES:
            found = score(language, kept_aside=kept_aside)
            parts = " ".join(f"{kind} {found.understood[kind]}/{found.total[kind]}" for kind in found.total)
            wishes = sum(found.total[wish] for wish in WISHES)
            others = sum(found.total[kind] for kind in NO_WISHES)
            print(
                f"  {language}: {found.share:.1%} of {wishes}; taken for another {len(found.inverted)};"
                f" no order taken for one {len(found.false_orders)} of {others} ({found.false_share:.1%});"
                f" kept in other words {len(found.misheard)}. {parts}"
            )
            if "--wrong" in sys.argv and not kept_aside:
                for wanted, kind, text in (*found.inverted, *found.false_orders):
                    print(f"    {wanted} taken for {kind}: {text}")


if __name__ == "__main__":
    main()
