"""A handler in Mode=stream that accepts whatever it is asked about."""
import json
import sys

for line in sys.stdin.buffer:
    print(json.dumps({"id": json.loads(line)["id"], "verdict": "accepted"}), flush=True)
