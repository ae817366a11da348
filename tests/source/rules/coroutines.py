"""The shapes of `co_await` that g++ 12 miscompiles, and lambdas that are coroutines.

A full-expression with `co_await` holds no braced initialiser, capturing lambda, `?:`, switch operand or
second `co_await`. The code is not parsed: a full-expression is found by matching brackets to both sides.
"""
import re

_AWAIT = re.compile(r"\bco_await\b")
_COROUTINE = re.compile(r"\bco_(?:await|return|yield)\b")
_WORD_BEFORE = re.compile(r"([A-Za-z_]\w*)\s*$")
_STATEMENT_WORDS = ("if", "while", "for", "switch", "constexpr", "catch")
_NAME_IT = "name the value first, then await in a statement of its own"
_OPEN = {")": "(", "]": "[", "}": "{"}


def _match_back(code, position):
    """Position of the bracket that the closing one at `position` closes; -1 if there is none."""
    close, depth = code[position], 0
    opening = _OPEN[close]
    for index in range(position, -1, -1):
        if code[index] == close:
            depth += 1
        elif code[index] == opening:
            depth -= 1
            if depth == 0:
                return index
    return -1


def _match_forward(code, position):
    """Position of the bracket that closes the opening one at `position`; the last position if none does."""
    opening, depth = code[position], 0
    close = {"(": ")", "[": "]", "{": "}"}[opening]
    for index in range(position, len(code)):
        if code[index] == opening:
            depth += 1
        elif code[index] == close:
            depth -= 1
            if depth == 0:
                return index
    return len(code) - 1


def _word_before(code, position):
    match = _WORD_BEFORE.search(code, max(0, position - 80), position)
    return match.group(1) if match else ""


def _is_block(code, position):
    """True if the '{' at `position` opens statements rather than an initialiser."""
    before = code[max(0, position - 300):position].rstrip()
    if not before or before[-1] in ");{}:":
        return True
    if before[-1] == "]":  # [captures] { ... }
        return True
    if re.search(r"\b(?:else|do|try|const|noexcept|override|final|mutable)$", before):
        return True
    if re.search(r"\b(?:namespace|struct|class|enum|union)\b[^;{}()=]*$", before):
        return True
    return re.search(r"\)\s*(?:const\s*)?(?:noexcept\s*)?(?:mutable\s*)?->\s*[\w:<>,&*\s]+$", before) is not None


def _start(code, position):
    """(first position of the full-expression around `position`, the keyword whose operand it is or "")."""
    index = position - 1
    while index >= 0:
        char = code[index]
        if char == ";":
            return index + 1, ""
        if char in ")]}":
            opening = _match_back(code, index)
            if char == "}" and (opening < 0 or _is_block(code, opening)) and not _closes_lambda(code, opening):
                return index + 1, ""
            if char == ")" and _word_before(code, opening) in _STATEMENT_WORDS:
                return index + 1, ""
            index = opening - 1
            continue
        if char == "(" and _word_before(code, index) in _STATEMENT_WORDS:
            return index + 1, _word_before(code, index)
        if char == "{" and _is_block(code, index):
            return index + 1, ""
        if char in "oe" and re.search(r"\b(?:do|else)$", code[max(0, index - 4):index + 1]) \
                and not re.match(r"\w", code[index + 1:index + 2]):
            return index + 1, ""
        index -= 1
    return 0, ""


def _closes_lambda(code, opening):
    """True if the block at `opening` is the body of a lambda: an expression goes on behind it."""
    before = code[max(0, opening - 300):opening].rstrip()
    before = re.sub(r"(?:->\s*[\w:<>,&*\s]+|\b(?:mutable|noexcept|constexpr)\s*)$", "", before).rstrip()
    if before.endswith(")"):
        before = before[:_match_back(before, len(before) - 1)].rstrip() if _match_back(before, len(before) - 1) >= 0 else ""
    if not before.endswith("]"):
        return False
    capture = _match_back(before, len(before) - 1)
    return capture >= 0 and _introduces_lambda(before, capture)


def _introduces_lambda(code, position):
    """True if the '[' at `position` begins a lambda, not a subscript, attribute or structured binding."""
    before = code[max(0, position - 80):position].rstrip()
    if before.endswith("[") or code[position:position + 2] == "[[":
        return False
    if re.search(r"\bauto\s*(?:const)?\s*&{0,2}$", before):
        return False
    if re.search(r"\b(?:return|co_return|co_await|co_yield|case|throw)$", before):
        return True
    return not re.search(r"[\w)\]\"'>]$", before) or before.endswith("operator")


def _end(code, start):
    """Position behind the full-expression that begins at `start`."""
    index = start
    while index < len(code):
        char = code[index]
        if char in ";)]}":
            return index
        if char in "([":
            index = _match_forward(code, index)
        elif char == "{":
            if _is_block(code, index) and not _closes_lambda(code, index):
                return index
            index = _match_forward(code, index)
        index += 1
    return index


def lambdas(code, start, end):
    """(position of '[', captures, head between ']' and '{', position of '{', position of '}') of each lambda."""
    index = start
    while index < end:
        if code[index] == "[" and _introduces_lambda(code, index):
            close = _match_forward(code, index)
            body = re.compile(r"\s*(?:<[^{}();]*>\s*)?(?:\((?:[^(){};]|\((?:[^(){};]|\([^(){};]*\))*\))*\)\s*)?"
                              r"(?:(?:mutable|constexpr|noexcept)\s*)*(?:->\s*[\w:<>,&*\s]+)?\{").match(code, close + 1)
            if body:
                brace = body.end() - 1
                yield index, code[index + 1:close].strip(), code[close + 1:brace], brace, _match_forward(code, brace)
        index += 1


def _without_bodies(code, start, end):
    """The text of an expression with the insides of its lambdas blanked."""
    text = list(code[start:end])
    for _, _, _, brace, close in lambdas(code, start, end):
        for index in range(brace, min(close + 1, end)):
            text[index - start] = " "
    return "".join(text)


def _check_expression(code, start, end, keyword):
    if keyword == "switch":
        yield f"`co_await` as a switch operand: {_NAME_IT}"
    for _, captures, _, _, _ in lambdas(code, start, end):
        if captures:
            yield f"a capturing lambda in an expression with `co_await`: {_NAME_IT}"
            break
    text = _without_bodies(code, start, end)
    if len(_AWAIT.findall(text)) > 1:
        yield "two `co_await` in one expression: one effect per expression, name the first result"
    if "?" in text:
        yield "`?:` in an expression with `co_await`: use if and else, or choose the value first"
    if "{" in text:
        yield f"a braced initialiser in an expression with `co_await`: {_NAME_IT}, `co_await f(std::move(request));`"


def _own_code(code, brace, close):
    """The body of a lambda without the bodies of the lambdas inside it."""
    return _without_bodies(code, brace + 1, close)


def check(source):
    code = source.code
    # Directives are no code: a line of a macro would end up in a neighbour's expression.
    code = re.sub(r"(?m)^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", lambda m: re.sub(r"[^\n]", " ", m.group(0)), code)
    seen = set()
    for match in _AWAIT.finditer(code):
        start, keyword = _start(code, match.start())
        if start in seen:
            continue
        seen.add(start)
        for message in _check_expression(code, start, _end(code, start), keyword):
            yield source.line_of(match.start()), "coroutine", message
    for position, captures, head, brace, close in lambdas(code, 0, len(code)):
        is_coroutine = re.search(r"->[^{]*\bTask\s*<", head) or _COROUTINE.search(_own_code(code, brace, close))
        if captures and is_coroutine:
            yield (source.line_of(position), "coroutine",
                   "a coroutine that is a capturing lambda: the captures die with the closure; "
                   "write a function and pass what it needs as parameters")
