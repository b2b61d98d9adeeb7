"""A chart of lines on logarithmic axes as an SVG file.

Its colours follow the reader's light or dark setting, each line has a mark of its own shape, and its name stands at its end,
so that nobody has to tell colours apart.
"""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 440
LEFT, RIGHT, TOP, BOTTOM = 76, 150, 58, 62
LABEL_DISTANCE = 17

STYLE = """
    text { font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #24292f; }
    .title { font-size: 16px; font-weight: 600; }
    .minor { fill: #57606a; }
    .grid { stroke: #d0d7de; stroke-width: 1; }
    .axis { stroke: #57606a; stroke-width: 1.2; }
    .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
    .s0 { stroke: #0060a8; } .f0 { fill: #0060a8; }
    .s1 { stroke: #b54700; } .f1 { fill: #b54700; }
    .s2 { stroke: #00704a; } .f2 { fill: #00704a; }
    .s3 { stroke: #6e40c9; } .f3 { fill: #6e40c9; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .minor { fill: #9da7b3; }
      .grid { stroke: #30363d; }
      .axis { stroke: #9da7b3; }
      .s0 { stroke: #6cb6ff; } .f0 { fill: #6cb6ff; }
      .s1 { stroke: #f69d50; } .f1 { fill: #f69d50; }
      .s2 { stroke: #57d9a3; } .f2 { fill: #57d9a3; }
      .s3 { stroke: #bc8cff; } .f3 { fill: #bc8cff; }
    }"""


class Axis:
    """Values on a logarithmic scale to pixels."""

    def __init__(self, low, high, begin, end):
        self.low, self.high, self.begin, self.end = math.log(low), math.log(high), begin, end

    def __call__(self, value):
        share = (math.log(value) - self.low) / (self.high - self.low)
        return round(self.begin + share * (self.end - self.begin), 1)


def chart(title, subtitle, x_label, y_label, series):
    """`series`: name to points (x, y), at most four of them; x and y positive."""
    points = [point for line in series.values() for point in line]
    xs = sorted({x for x, _ in points})
    low, high = decades([y for _, y in points])
    across = Axis(xs[0], max(xs[-1], 2 * xs[0]), LEFT, WIDTH - RIGHT)
    up = Axis(low, high, HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" aria-label="{escape(title)}">',
        f"  <title>{escape(title)}</title>",
        f"  <style>{STYLE}\n  </style>",
        text(LEFT, 24, title, "title"),
        text(LEFT, 43, subtitle, "minor"),
        *grid(across, up, ticks(xs, across), y_ticks(low, high)),
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, x_label, anchor="middle"),
        text(20, (TOP + HEIGHT - BOTTOM) / 2, y_label, anchor="middle", turn=True),
    ]
    for number, (name, line) in enumerate(series.items()):
        parts += curve(number, name, [(across(x), up(y)) for x, y in sorted(line)])
    parts += labels({name: up(sorted(line)[-1][1]) for name, line in series.items()})
    return "\n".join([*parts, "</svg>", ""])


def decades(values):
    """The least range around the values whose ends are 1, 2 or 5 times a power of ten."""
    steps = [m * 10.0**e for e in range(-9, 10) for m in (1, 2, 5)]
    low = max(s for s in steps if s <= min(values) * 1.0001)
    high = min(s for s in steps if s >= max(values) * 0.9999)
    return (low, high) if low < high else (low, 10 * low)


def y_ticks(low, high):
    """1, 2 and 5 times each power of ten; of a wide range the powers alone."""
    factors = (1, 2, 5) if high / low <= 1000 else (1,)
    values = [m * 10.0**e for e in range(-9, 10) for m in factors]
    return [v for v in values if low * 0.9999 <= v <= high * 1.0001]


def ticks(xs, across):
    """Those of the values that leave each other room."""
    chosen = []
    for x in xs:
        if not chosen or across(x) - across(chosen[-1]) >= 34:
            chosen.append(x)
    return chosen


def grid(across, up, xs, ys):
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    for x in xs:
        yield segment("grid", across(x), TOP, across(x), bottom)
        yield text(across(x), bottom + 19, f"{x:g}", "minor", "middle")
    for y in ys:
        yield segment("grid", LEFT, up(y), right, up(y))
        yield text(LEFT - 8, up(y) + 4, f"{y:g}", "minor", "end")
    yield segment("axis", LEFT, bottom, right, bottom)
    yield segment("axis", LEFT, TOP, LEFT, bottom)


def curve(number, name, pixels):
    way = " ".join(f"{x},{y}" for x, y in pixels)
    yield f'  <g><title>{escape(name)}</title><polyline class="line s{number}" points="{way}"/>'
    for x, y in pixels:
        yield f"    {mark(number, x, y)}"
    yield "  </g>"


def mark(number, x, y):
    if number == 0:
        return f'<circle class="f0" cx="{x}" cy="{y}" r="4"/>'
    if number == 1:
        return f'<rect class="f1" x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"/>'
    if number == 2:
        return f'<path class="f2" d="M{x} {y - 5:.1f}l4.6 8h-9.2z"/>'
    return f'<path class="f3" d="M{x} {y - 5:.1f}l5 5l-5 5l-5 -5z"/>'


def labels(ends):
    """Names at the ends of the lines, moved apart where lines end close to each other."""
    order = sorted(ends, key=ends.get)
    heights = [ends[name] for name in order]
    for k in range(1, len(heights)):
        heights[k] = max(heights[k], heights[k - 1] + LABEL_DISTANCE)
    lowest = HEIGHT - BOTTOM
    for k in reversed(range(len(heights))):
        heights[k] = min(heights[k], lowest)
        lowest = heights[k] - LABEL_DISTANCE
    numbers = {name: number for number, name in enumerate(ends)}
    for name, height in zip(order, heights):
        yield f'  <g class="f{numbers[name]}">{mark(numbers[name], WIDTH - RIGHT + 18, height)}</g>'
        yield text(WIDTH - RIGHT + 30, round(height + 4.5, 1), name)


def text(x, y, words, kind="", anchor="start", turn=False):
    kind = f' class="{kind}"' if kind else ""
    turned = f' transform="rotate(-90 {x} {y})"' if turn else ""
    return f'  <text x="{x}" y="{y}" text-anchor="{anchor}"{kind}{turned}>{escape(words)}</text>'


def segment(kind, x1, y1, x2, y2):
    return f'  <line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'
