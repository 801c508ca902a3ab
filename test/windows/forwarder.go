package windows

import (
	"bytes"
	"encoding/binary"
)

// Where things are in the file, and where they are loaded.
const (
	headers = 0x200  // the size of the headers, and where the section is in the file
	section = 0x1000 // where it is in memory
	align   = 0x200
)

// forwarder is a library for Windows of one page whose only function is another
// library's under another name. Go programs need ProcessPrng of
// bcryptprimitives.dll, which Wine 8 does not have.
func forwarder(library, function, target string) []byte {
	exports := exportTable(library, function, target)
	var out bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&out, binary.LittleEndian, v) // a buffer takes everything
		}
	}
	dos := make([]byte, 0x40)
	copy(dos, "MZ")
	dos[0x3c] = 0x40
	put(dos, []byte("PE\x00\x00"))
	// amd64, one section, no symbols; a library for large addresses.
	put(uint16(0x8664), uint16(1), uint32(0), uint32(0), uint32(0), uint16(240), uint16(0x2022))
	// The optional header of 64 bits: sizes, no code, where it wants to be, how it is aligned.
	put(uint16(0x20b), uint16(0), uint32(0), uint32(align), uint32(0), uint32(0), uint32(section))
	put(uint64(0x180000000), uint32(section), uint32(align), uint16(6), uint16(0), uint16(0), uint16(0), uint16(6), uint16(0), uint32(0))
	put(uint32(2*section), uint32(headers), uint32(0), uint16(3), uint16(0x100))
	put(uint64(0x100000), uint64(0x1000), uint64(0x100000), uint64(0x1000), uint32(0), uint32(16))
	// Of sixteen directories only the first, the exports.
	put(uint32(section), uint32(len(exports)), make([]byte, 15*8))
	put([]byte(".edata\x00\x00"), uint32(len(exports)), uint32(section), uint32(align), uint32(headers), make([]byte, 12), uint32(0x40000040))
	put(make([]byte, headers-out.Len()), exports, make([]byte, align-len(exports)))
	return out.Bytes()
}

// exportTable is the table of one function whose address lies within the table,
// where the name of the other library's function stands.
func exportTable(library, function, target string) []byte {
	const directory, functions, names, ordinals, texts = 0, 40, 44, 48, 50
	at := func(offset int) uint32 { return uint32(section + offset) }
	name, exported := texts, texts+len(library)+1
	forward := exported + len(function) + 1
	var out bytes.Buffer
	for _, v := range []any{uint32(0), uint32(0), uint32(0), at(name), uint32(1), uint32(1), uint32(1), at(functions), at(names), at(ordinals),
		at(forward), at(exported), uint16(directory), []byte(library + "\x00" + function + "\x00" + target + "\x00")} {
		_ = binary.Write(&out, binary.LittleEndian, v) // a buffer takes everything
	}
	return out.Bytes()
}
