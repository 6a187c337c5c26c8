# Office documents whose archives begin with another member.
. "${0%/*}/prelude.sh"
dz_conf allow=application/vnd.openxmlformats-officedocument.wordprocessingml.document; dz_start
mkzip "$Z/ms.docx" '[Content_Types].xml' _rels/.rels word/document.xml
mkzip "$Z/other.docx" _rels/.rels docProps/app.xml word/document.xml '[Content_Types].xml'
mkzip "$Z/plain.docx" a.txt b.txt; mkzip "$Z/noext" _rels/.rels word/document.xml '[Content_Types].xml'
dz_idle 4
