"""An adapter as the predecessor's runner loads it: one class, one method, the verb as its first argument."""


class StockAdapter:
    def __init__(self):
        self.left = {"pen": 3}

    def call(self, target, args, context):
        print("asked for", target)  # harmless: it goes to the operator's log
        item = args[0]
        if target == "count":
            return {"item": item, "left": self.left.get(item, 0)}
        if target == "take":
            if self.left.get(item, 0) < args[1]:
                raise ValueError(f"not enough of {item}")
            self.left[item] -= args[1]
            return self.left[item]
        raise ValueError(f"unsupported target: {target}")
