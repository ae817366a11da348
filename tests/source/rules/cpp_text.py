"""A source file as the rules see it: the code without comments and literals, the comments beside it."""
import re

CPP = (".h", ".cc", ".hpp", ".cpp", ".inc")

# In this order: comments, raw strings, strings, characters. A digit separator (1'000) is not a character.
_TOKEN = re.compile(
    r'//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/'
    r'|(?:u8|[uUL])?R"(?P<delimiter>[^\s()\\]{0,16})\(.*?\)(?P=delimiter)"'
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![0-9A-Za-z_])(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+'", re.S)
_EXCUSE = re.compile(r"(?://|/\*|#)\s*(?P<rule>[a-z-]+)-ok:\s*\S")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^">\n]+)[">]', re.M)


def _blank(text, keep=""):
    """Spaces of the same length with the line breaks kept, so that positions and lines stay the same."""
    return keep + "".join(c if c == "\n" else " " for c in text[len(keep):])


def strip(text):
    """`text` without comments (blanked) and literals (quotes stay, their content is blanked)."""
    def replace(match):
        token = match.group(0)
        if token.startswith(("//", "/*")):
            return _blank(token)
        quote = token[-1]
        return _blank(token[:-1], keep=quote) + quote
    return _TOKEN.sub(replace, text)


class Source:
    """`path` relative to the root, `text` as written, `code` stripped, `includes` as (line, quote, name)."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.lines = text.split("\n")
        self.is_cpp = path.endswith(CPP)
        self.is_header = path.endswith((".h", ".hpp"))
        self.code = strip(text) if self.is_cpp else text
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self.includes = []
        if self.is_cpp:
            for match in _INCLUDE.finditer(text):
                hash_at = match.start() + match.group(0).index("#")
                if self.code[hash_at] == "#":  # not inside a comment
                    self.includes.append((self.line_of(hash_at), match.group(1), match.group(2)))

    def line_of(self, position):
        """The 1-based line of a position in `text` or `code`."""
        low, high = 0, len(self._starts) - 1
        while high - low > 1:
            middle = (low + high) // 2
            if self._starts[middle] <= position:
                low = middle
            else:
                high = middle
        return low + 1

    def excused(self, line, rule):
        """True if the line, or a comment line right above it, carries `<rule>-ok: reason`."""
        for number in (line, line - 1):
            if 1 <= number <= len(self.lines):
                written = self.lines[number - 1]
                alone = written.lstrip().startswith(("//", "#", "/*"))
                match = _EXCUSE.search(written)
                if match and match.group("rule") == rule and (number == line or alone):
                    return True
        return False
