"""Writes a plot over time as SVG: for each contender the median as a line, and the range of its runs as a band."""

import html
import math
from collections.abc import Callable
from statistics import median

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 400, 80, 36, 210, 44
COLOURS = ("#1b6ca8", "#c8553d", "#3d8b37", "#8a5aa8", "#a87b1b", "#555555", "#1ba89a")
POINTS = 60


def value_at(series: list[list[float]], seconds: float) -> float:
    """What was reached by then; nothing yet is nothing."""
    return max((value for when, value in series if when <= seconds), default=0.0)


def short(value: float) -> str:
    for name, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:g}{name}"
    return f"{value:g}"


def scale(low: float, high: float) -> tuple[Callable[[float], float], list[float], bool]:
    """From a value to the share of the height, and where to draw lines; logarithmic where values differ much."""
    if high > 50 * max(low, 1):
        first, last = math.floor(math.log10(max(low, 1))), math.ceil(math.log10(high))
        step = max(1, (last - first) // 6)
        ticks = [10.0**power for power in range(first, last + 1, step)]
        return lambda value: (math.log10(max(value, 10**first)) - first) / (last - first), ticks, True
    top = high * 1.05 or 1.0
    return lambda value: value / top, [top * part / 4 for part in range(5)], False


def plot(title: str, seconds: float, runs: dict[str, list[list[list[float]]]]) -> str:
    """The SVG of a case: for each contender the series (CPU-seconds, value) of its runs."""
    times = [seconds * point / POINTS for point in range(1, POINTS + 1)]
    lines = {name: [[value_at(one, when) for one in series] for when in times] for name, series in runs.items()}
    values = [value for points in lines.values() for point in points for value in point]
    place, ticks, logarithmic = scale(min((v for v in values if v > 0), default=1), max(values, default=1))
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(when: float) -> float:
        return LEFT + wide * when / seconds

    def y(value: float) -> float:
        return TOP + high * (1 - min(1.0, max(0.0, place(value))))

    size = f'width="{WIDTH}" height="{HEIGHT}"'
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">']
    out.append(f'<rect {size} fill="white"/><text x="{LEFT}" y="20">{html.escape(title)}</text>')
    for tick in ticks:
        out.append(f'<line x1="{LEFT}" x2="{LEFT + wide}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{short(round(tick, 1))}</text>')
    for part in range(5):
        when = seconds * part / 4
        out.append(f'<text x="{x(when):.1f}" y="{TOP + high + 18}" text-anchor="middle">{when:g}</text>')
    note = "CPU-seconds; line: median, band: all runs" + ("; logarithmic" if logarithmic else "")
    out.append(f'<text x="{LEFT + wide / 2}" y="{HEIGHT - 8}" text-anchor="middle">{note}</text>')
    for at, (name, points) in enumerate(lines.items()):
        colour = COLOURS[at % len(COLOURS)]
        upper = [f"{x(when):.1f},{y(max(point)):.1f}" for when, point in zip(times, points)]
        lower = [f"{x(when):.1f},{y(min(point)):.1f}" for when, point in zip(times, points)]
        middle = [f"{x(when):.1f},{y(median(point)):.1f}" for when, point in zip(times, points)]
        out.append(f'<polygon points="{" ".join(upper + lower[::-1])}" fill="{colour}" opacity="0.15"/>')
        out.append(f'<polyline points="{" ".join(middle)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        row = TOP + 16 + 20 * at
        ends = f'x1="{LEFT + wide + 12}" x2="{LEFT + wide + 32}" y1="{row - 4}" y2="{row - 4}"'
        out.append(f'<line {ends} stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{LEFT + wide + 38}" y="{row}">{html.escape(name)}</text>')
    return "\n".join([*out, "</svg>", ""])
