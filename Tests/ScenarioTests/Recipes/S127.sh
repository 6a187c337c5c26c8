# E-books whose mimetype member is not the first.
. "${0%/*}/prelude.sh"
dz_conf allow=application/epub+zip; dz_start
mkzip "$Z/good.epub" mimetype META-INF/container.xml; mkzip "$Z/late.epub" META-INF/container.xml mimetype; mkzip "$Z/no.epub" a.txt; dz_idle 3
