package rpm

import (
	"bytes"
	"fmt"

	"github.com/trammel-dev/trammel/dist/content"
)

// cpio is the payload before it is compressed, in the format "newc".
func cpio(p *content.Package, files []content.File) []byte {
	var b bytes.Buffer
	pad := func() {
		for b.Len()%4 != 0 {
			b.WriteByte(0)
		}
	}
	entry := func(inode int, mode uint16, links int, name string, data []byte) {
		fmt.Fprintf(&b, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x", inode, mode, 0, 0, links, p.Time.Unix(), len(data),
			0, 0, 0, 0, len(name)+1, 0)
		b.WriteString(name)
		b.WriteByte(0)
		pad()
		b.Write(data)
		pad()
	}
	for i, f := range files {
		entry(i+1, unixMode(f), 1, "./"+f.Path, f.Data)
	}
	entry(0, 0, 1, "TRAILER!!!", nil)
	return b.Bytes()
}

// unixMode is the mode of a file with its type.
func unixMode(f content.File) uint16 {
	if f.Mode.IsDir() {
		return 0o040000 | uint16(f.Mode.Perm())
	}
	return 0o100000 | uint16(f.Mode.Perm())
}
