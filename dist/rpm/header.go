package rpm

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// The types of values in a header.
const (
	typeInt16   = 3
	typeInt32   = 4
	typeString  = 6
	typeBinary  = 7
	typeStrings = 8
	typeText    = 9 // one string per language; we have one
)

// header is a table of tags with their values. Its region says that all of it
// belongs together and may not be changed.
type header struct {
	region int32
	values []value
}

type value struct {
	tag, kind int32
	count     int
	data      []byte
}

func (h *header) add(tag, kind int32, count int, data []byte) {
	h.values = append(h.values, value{tag, kind, count, data})
}

func (h *header) string(tag int32, s string) { h.add(tag, typeString, 1, append([]byte(s), 0)) }
func (h *header) text(tag int32, s string)   { h.add(tag, typeText, 1, append([]byte(s), 0)) }

func (h *header) strings(tag int32, all ...string) {
	var b []byte
	for _, s := range all {
		b = append(append(b, s...), 0)
	}
	h.add(tag, typeStrings, len(all), b)
}

func (h *header) int32(tag int32, all ...int32) {
	var b []byte
	for _, n := range all {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	h.add(tag, typeInt32, len(all), b)
}

func (h *header) int16(tag int32, all ...uint16) {
	var b []byte
	for _, n := range all {
		b = binary.BigEndian.AppendUint16(b, n)
	}
	h.add(tag, typeInt16, len(all), b)
}

// bytes are magic, table and values. The first entry of the table is the
// region; what it points to stands behind all values.
func (h *header) bytes() []byte {
	slices.SortStableFunc(h.values, func(a, b value) int { return int(a.tag - b.tag) })
	var table, store bytes.Buffer
	entry := func(tag, kind int32, offset, count int) []byte {
		var b []byte
		for _, n := range []int32{tag, kind, int32(offset), int32(count)} {
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
		return b
	}
	for _, v := range h.values {
		align := map[int32]int{typeInt16: 2, typeInt32: 4}[v.kind]
		for align > 0 && store.Len()%align != 0 {
			store.WriteByte(0)
		}
		table.Write(entry(v.tag, v.kind, store.Len(), v.count))
		store.Write(v.data)
	}
	entries := len(h.values) + 1
	region := entry(h.region, typeBinary, store.Len(), 16)
	store.Write(entry(h.region, typeBinary, -16*entries, 16))
	out := []byte{0x8e, 0xad, 0xe8, 1, 0, 0, 0, 0}
	out = binary.BigEndian.AppendUint32(out, uint32(entries))
	out = binary.BigEndian.AppendUint32(out, uint32(store.Len()))
	return slices.Concat(out, region, table.Bytes(), store.Bytes())
}
