"""
Makes smaller programs of a program, for finding the smallest one that still shows a difference. Each line of standard input is a JSON
string with a program; each gets a line with a JSON list of candidates, the largest cuts first.
"""

import ast
import copy
import json
import sys

MAX_CANDIDATES = 600
CONSTANTS = (0, 1, "", "a", None, True)


def places(tree):
    """Every node with the way to it: a list of (field, index or None)."""
    todo = [(tree, ())]
    while todo:
        node, way = todo.pop()
        yield node, way
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                todo.append((value, way + ((field, None),)))
            elif isinstance(value, list):
                todo.extend((item, way + ((field, index),)) for index, item in enumerate(value) if isinstance(item, ast.AST))


def at(tree, way):
    for field, index in way:
        tree = getattr(tree, field)
        if index is not None:
            tree = tree[index]
    return tree


def replaced(tree, way, made):
    """The program with `made` (a list of statements or one expression) at the place, or None."""
    tree = copy.deepcopy(tree)
    holder = at(tree, way[:-1])
    field, index = way[-1]
    if index is None:
        setattr(holder, field, made)
    elif isinstance(made, list):
        items = getattr(holder, field)
        items[index : index + 1] = made
        if not items and field == "body":
            items.append(ast.Pass())
    else:
        getattr(holder, field)[index] = made
    try:
        return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    except Exception:
        return None


def blocks(node):
    return [getattr(node, field) for field in ("body", "orelse", "finalbody") if isinstance(getattr(node, field, None), list)]


def size(node):
    return sum(1 for _ in ast.walk(node))


def cuts(tree):
    statements, expressions = [], []
    for node, way in places(tree):
        if not way:
            continue
        field, index = way[-1]
        if isinstance(node, ast.stmt):
            statements.append((size(node), way, []))
            statements.extend((size(node) // 2, way, block) for block in blocks(node) if block and not isinstance(node, ast.FunctionDef))
        elif isinstance(node, (ast.excepthandler, ast.match_case, ast.keyword, ast.comprehension)) and index is not None:
            statements.append((size(node), way, []))
        elif isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            children = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
            expressions.extend((size(node) - size(child), way, child) for child in children)
            if not isinstance(node, ast.Constant):
                expressions.extend((size(node) - 1, way, ast.Constant(value)) for value in CONSTANTS)
            if field in ("elts", "args", "values") and index is not None:
                expressions.append((size(node), way, []))
    order = lambda cut: -cut[0]
    return sorted(statements, key=order) + sorted(expressions, key=order)


def candidates(source):
    tree = ast.parse(source)
    made, seen = [], {source}
    for _, way, value in cuts(tree):
        text = replaced(tree, way, value)
        if text is None or text in seen or len(text) > len(source) + 20:
            continue
        seen.add(text)
        made.append(text)
        if len(made) == MAX_CANDIDATES:
            break
    return made


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(json.dumps(candidates(json.loads(line))) + "\n")
        sys.stdout.flush()
