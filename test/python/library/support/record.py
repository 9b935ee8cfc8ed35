"""Records what CPython 3.11 makes of expressions: `python3 record.py SUBJECT…` reads expressions/SUBJECT.txt and writes expressions/SUBJECT.json.

Each line of a table is an expression; empty lines and those that begin with `#` are skipped. A record holds the expression as a tree, which the test
evaluates with the natives of the library, and its value or exception.
"""
import ast
import base64
import bisect
import calendar
import collections
import copy
import csv
import datetime
import decimal
import difflib
import functools
import graphlib
import hashlib
import heapq
import hmac
import html
import io
import itertools
import json
import math
import operator
import os
import pathlib
import re
import statistics
import string
import sys
import textwrap
import time
import unicodedata
import urllib.parse
import uuid
import warnings
import zoneinfo
from collections import Counter, defaultdict

os.environ["TZ"] = "UTC"
time.tzset()
warnings.simplefilter("ignore")
assert sys.version_info[:2] == (3, 11), "the tables are those of CPython 3.11"
FOLDER = pathlib.Path(__file__).parent.parent / "expressions"
UNKNOWN = {"exec", "eval"}


def encoded(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else {"int": hex(value)}
    if isinstance(value, float):
        return {"float": repr(value)}
    if type(value) is list:
        return {"list": [encoded(item) for item in value]}
    if type(value) is tuple:
        return {"tuple": [encoded(item) for item in value]}
    if type(value) is dict:
        return {"dict": [[encoded(key), encoded(item)] for key, item in value.items()]}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return {"repr": repr(value), "type": type(value).__name__}


def tree(node):
    match node:
        case ast.Expression():
            return tree(node.body)
        case ast.Constant():
            return {"constant": encoded(node.value)}
        case ast.Name():
            return {"name": node.id}
        case ast.Attribute():
            return {"attribute": [tree(node.value), node.attr]}
        case ast.Call():
            args = [{"star": tree(arg.value)} if isinstance(arg, ast.Starred) else tree(arg) for arg in node.args]
            return {"call": [tree(node.func), args, {word.arg or "**": tree(word.value) for word in node.keywords}]}
        case ast.List():
            return {"list": [tree(item) for item in node.elts]}
        case ast.Tuple():
            return {"tuple": [tree(item) for item in node.elts]}
        case ast.Set():
            return {"set": [tree(item) for item in node.elts]}
        case ast.Dict():
            return {"dict": [[tree(key), tree(value)] for key, value in zip(node.keys, node.values)]}
        case ast.Subscript():
            return {"item": [tree(node.value), tree(node.slice)]}
        case ast.Slice():
            return {"slice": [tree(part) if part else {"constant": None} for part in (node.lower, node.upper, node.step)]}
        case ast.UnaryOp():
            return {"unary": [type(node.op).__name__, tree(node.operand)]}
        case ast.BinOp():
            return {"binary": [type(node.op).__name__, tree(node.left), tree(node.right)]}
        case ast.Compare() if len(node.ops) == 1:
            return {"compare": [type(node.ops[0]).__name__, tree(node.left), tree(node.comparators[0])]}
        case ast.ListComp() if len(node.generators) == 1 and not node.generators[0].ifs:
            one = node.generators[0]
            return {"listed": [tree(node.elt), one.target.id, tree(one.iter)]}
        case ast.Lambda():
            return {"lambda": [[arg.arg for arg in node.args.args], tree(node.body)]}
    raise SyntaxError(ast.dump(node))


def record(text):
    made = {"text": text, "tree": tree(ast.parse(text, mode="eval"))}
    try:
        made["gives"] = encoded(eval(text, dict(globals())))
    except Exception as error:
        made["raises"] = type(error).__name__
        made["message"] = str(error)
    return made


def lines(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.strip()


if __name__ == "__main__":
    for subject in sys.argv[1:]:
        records = [record(line) for line in lines(FOLDER / (subject + ".txt"))]
        text = ",\n".join(json.dumps(one, ensure_ascii=True, separators=(",", ":")) for one in records)
        (FOLDER / (subject + ".json")).write_text("[\n" + text + "\n]\n")
        print(subject, len(records))
