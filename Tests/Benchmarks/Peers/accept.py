"""A handler in Mode=stream that accepts every payload."""
import json
import sys

for line in sys.stdin.buffer:
    print(json.dumps({"id": json.loads(line)["id"], "verdict": "accepted"}), flush=True)
