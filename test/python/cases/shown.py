#: shown-kinds | shown
def main():
    made = [progress(0), progress(1, "done"), progress(0.5, None), progress(value=1.0, text="é")]
    made.append(set_state("a", {"b": [1, 2.0, None, (3,)]}))
    return made

#: shown-range | shown
def main():
    said = []
    for value, text in ((-0.1, None), (1.5, ""), (2, "x"), (0, "x" * 1001)):
        try:
            progress(value, text)
        except ValueError as error:
            said.append(str(error))
    return said

#: shown-room | shown
from weft import set_state

def main():
    said = []
    for n in range(70):
        try:
            set_state(f"n{n}", n)
        except ValueError as error:
            said.append([n, str(error)])
    for name in ("", "x" * 65, "n1"):
        try:
            set_state(name, "é" * 40000)
        except ValueError as error:
            said.append(str(error))
    set_state("n1", "x" * 1000)
    return said

#: shown-wrong | shown
def main():
    said = []
    for act in (lambda: progress("1"), lambda: progress(True), lambda: progress(0, 1), lambda: set_state(1, 2), lambda: set_state("s", {1, 2})):
        try:
            act()
        except TypeError as error:
            said.append(str(error))
    return said

#: shown-own | shown
def progress(n):
    return n * 2

def main():
    set_state = 3
    return progress(set_state)
