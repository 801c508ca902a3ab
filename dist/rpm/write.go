// Package rpm writes packages for rpm, version 4: a lead, a header with
// digests, a header with everything else, and a compressed cpio archive. There
// are no scripts. They are not signed; checksums.txt vouches for them.
package rpm

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path"
	"slices"

	"github.com/trammel-dev/trammel/dist/archive"
	"github.com/trammel-dev/trammel/dist/content"
)

var arch = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

const release = "1"

// FileName is what the package is called. It has no tilde, which GitHub would
// change.
func FileName(p *content.Package) string {
	return fmt.Sprintf("%s-%s-%s.%s.rpm", content.Name, p.Version, release, arch[p.Arch])
}

// Write is the package.
func Write(p *content.Package) ([]byte, error) {
	files := content.Sorted(p.Files)
	plain := cpio(p, files)
	payload, err := archive.Gzip(plain)
	if err != nil {
		return nil, err
	}
	head := describe(p, files, payload).bytes()
	sig := &header{region: tagSignatures}
	sig.string(sigSHA1, fmt.Sprintf("%x", sha1.Sum(head)))
	sig.string(sigSHA256, fmt.Sprintf("%x", sha256.Sum256(head)))
	sig.int32(sigSize, int32(len(head)+len(payload)))
	sum := md5.Sum(slices.Concat(head, payload))
	sig.add(sigMD5, typeBinary, len(sum), sum[:])
	sig.int32(sigPayloadSize, int32(len(plain)))
	signature := sig.bytes()
	for len(signature)%8 != 0 {
		signature = append(signature, 0)
	}
	return slices.Concat(lead(p), signature, head, payload), nil
}

// lead is what old programs know the file by; rpm itself reads the headers.
func lead(p *content.Package) []byte {
	out := make([]byte, 96)
	copy(out, []byte{0xed, 0xab, 0xee, 0xdb, 3, 0})
	binary.BigEndian.PutUint16(out[8:], map[string]uint16{"amd64": 1, "arm64": 19}[p.Arch])
	copy(out[10:75], fmt.Sprintf("%s-%s-%s", content.Name, p.Version.Tilde(), release))
	binary.BigEndian.PutUint16(out[76:], 1) // Linux
	binary.BigEndian.PutUint16(out[78:], 5) // signatures are a header
	return out
}

func describe(p *content.Package, files []content.File, payload []byte) *header {
	h := &header{region: tagImmutable}
	version := p.Version.Tilde()
	h.strings(tagI18NTable, "C")
	for tag, text := range map[int32]string{tagName: content.Name, tagVersion: version, tagRelease: release, tagBuildHost: "localhost",
		tagLicense: content.License, tagPackager: content.Maintainer, tagURL: content.URL, tagOS: "linux", tagArch: arch[p.Arch],
		tagSourceRPM: fmt.Sprintf("%s-%s-%s.src.rpm", content.Name, version, release), tagRPMVersion: "4.18.0",
		tagPayloadFormat: "cpio", tagPayloadCompressor: "gzip", tagPayloadFlags: "6"} {
		h.string(tag, text) // the table is sorted later
	}
	h.text(tagSummary, content.Summary)
	h.text(tagDescription, content.Description)
	h.text(tagGroup, "Development/Tools")
	h.int32(tagBuildTime, int32(p.Time.Unix()))
	h.int32(tagSize, int32(p.Size()))
	h.strings(tagProvideName, content.Name)
	h.int32(tagProvideFlags, flagEqual)
	h.strings(tagProvideVersion, version+"-"+release)
	requires := [][2]string{{"rpmlib(CompressedFileNames)", "3.0.4-1"}, {"rpmlib(FileDigests)", "4.6.0-1"},
		{"rpmlib(PayloadFilesHavePrefix)", "4.0-1"}}
	if p.Version.Prerelease() {
		requires = append(requires, [2]string{"rpmlib(TildeInVersions)", "4.10.0-1"})
	}
	var names, versions []string
	var flags []int32
	for _, r := range requires {
		names, versions, flags = append(names, r[0]), append(versions, r[1]), append(flags, flagRPMLib|flagLessEqual)
	}
	h.strings(tagRequireName, names...)
	h.strings(tagRequireVersion, versions...)
	h.int32(tagRequireFlags, flags...)
	h.strings(tagPayloadDigest, fmt.Sprintf("%x", sha256.Sum256(payload)))
	h.int32(tagPayloadDigestAlgo, algorithmSHA256)
	list(h, p, files)
	return h
}

// list adds what is known about each file, one column per tag.
func list(h *header, p *content.Package, files []content.File) {
	var sizes, times, devices, inodes, flags, verify, dirIndexes []int32
	var modes, rdevs []uint16
	var digests, links, owners, languages, bases, dirs []string
	for i, f := range files {
		dir := "/" + path.Dir(f.Path) + "/"
		at := slices.Index(dirs, dir)
		if at < 0 {
			at, dirs = len(dirs), append(dirs, dir)
		}
		size, digest := int32(len(f.Data)), fmt.Sprintf("%x", sha256.Sum256(f.Data))
		if f.Mode.IsDir() {
			size, digest = 4096, ""
		}
		sizes, digests, modes = append(sizes, size), append(digests, digest), append(modes, unixMode(f))
		times, devices, inodes = append(times, int32(p.Time.Unix())), append(devices, 1), append(inodes, int32(i+1))
		flags, verify, rdevs = append(flags, 0), append(verify, verifyAll), append(rdevs, 0)
		links, owners, languages = append(links, ""), append(owners, "root"), append(languages, "")
		bases, dirIndexes = append(bases, path.Base(f.Path)), append(dirIndexes, int32(at))
	}
	for tag, column := range map[int32][]int32{tagFileSizes: sizes, tagFileTimes: times, tagFileDevices: devices, tagFileInodes: inodes,
		tagFileFlags: flags, tagFileVerifyFlags: verify, tagDirIndexes: dirIndexes} {
		h.int32(tag, column...)
	}
	for tag, column := range map[int32][]string{tagFileDigests: digests, tagFileLinks: links, tagFileUsers: owners, tagFileGroups: owners,
		tagFileLanguages: languages, tagBaseNames: bases, tagDirNames: dirs} {
		h.strings(tag, column...)
	}
	h.int16(tagFileModes, modes...)
	h.int16(tagFileRdevs, rdevs...)
	h.int32(tagFileDigestAlgo, algorithmSHA256)
}
