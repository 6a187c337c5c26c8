# Scripts, style sheets and other text.
. "${0%/*}/prelude.sh"
dz_conf allow=text/plain; dz_start
printf 'hello\n' > "$Z/a.txt"; printf '#!/bin/sh\nrm -rf x\n' > "$Z/b.txt"; printf '<html><script>alert(1)</script></html>' > "$Z/c.txt"; printf '.a{color:red}\n' > "$Z/d.css"; printf 'import os\n\ndef main():\n    pass\n' > "$Z/e.py"; dz_idle 5
