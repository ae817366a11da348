"""What every file keeps to: size, head of a header, no forgotten work, nothing but the product."""
import re

MAX_LINES = 700
COUNTED = (".h", ".cc", ".hpp", ".cpp", ".py", ".sh", ".proto", ".cmake")

# Written with classes so that this file does not contain what it looks for.
FORGOTTEN = re.compile(r"\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b(?!\(#\d+\))")
FOREIGN = [(re.compile(pattern, re.I), what) for pattern, what in [
    (r"\bcl[a]ude\b|\banthr[o]pic\b|\bchatg[p]t\b|\bopen[a]i\b|\bcopil[o]t\b|\bLL[M]s?\b|\blanguage mod[e]ls?\b",
     "a writing tool"),
    (r"\bcoding (?:sess[i]on|assist[a]nt|ag[e]nt)s?\b|\bsub-?ag[e]nts?\b|\b(?:ai|helpful) assist[a]nts?\b|\bsystem pr[o]mpt\b",
     "how it was written"),
    (r"(?<![\w.])/w[o]rk/\w", "a path of one machine"),
    (r"https?://(?:[\w-]+\.)*(?:repo1?\.mav[e]n\.(?:apache\.)?org|registry\.npmj[s]\.org|pyp[i]\.org|files\.pyth[o]nhosted\.org"
     r"|proxy\.gol[a]ng\.org|crat[e]s\.io|deb\.deb[i]an\.org|artif[a]ctory[\w.-]*|[\w.-]*\.pkg\.d[e]v|[\w.-]+\.intern[a]l)\b",
     "the host of a package registry"),
]]


def _check_header(source):
    first = next((n for n, line in enumerate(source.lines, 1) if line.strip()), 1)
    if not source.lines[first - 1].lstrip().startswith(("//", "/*")):
        yield first, "header", "a header begins with a comment: what the thing is and its contract"
    if not re.search(r"(?m)^[ \t]*#[ \t]*pragma[ \t]+once\b", source.code):
        yield 1, "header", "a header has `#pragma once` behind its first comment"


def check(source):
    if source.path.endswith(COUNTED) or source.path == "dev":
        count = len(source.lines) - (source.lines[-1] == "")
        if count > MAX_LINES:
            yield MAX_LINES + 1, "size", f"{count} lines, at most {MAX_LINES}: split by meaning into files that read in one sitting"
    if source.is_header:
        yield from _check_header(source)
    if source.path == "LICENSE":
        return
    for number, line in enumerate(source.lines, 1):
        if FORGOTTEN.search(line):
            yield number, "forgotten", f"`{FORGOTTEN.search(line).group(0)}`: do it now, or name the issue as (#12) right behind the word"
        for pattern, what in FOREIGN:
            match = pattern.search(line)
            if match:
                yield number, "product", f"`{match.group(0)}` is {what}: the product speaks of itself alone; leave it out"
