# Payloads that can be created again from their description, so that a check knows every byte.
say() { yes -- "$1" 2>/dev/null | head -c "$2"; }
pdf() { printf '%%PDF-1.4\n%%\342\343\317\323\n'; say "$1" "${2:-4000}"; printf '\n%%%%EOF\n'; }
mkzip() { /usr/bin/python3 -c 'import sys,zipfile
with zipfile.ZipFile(sys.argv[1],"w") as z:
    for n in sys.argv[2:]: z.writestr(zipfile.ZipInfo(n), "application/epub+zip" if n=="mimetype" else "<x/>"*20)' "$@"; }
