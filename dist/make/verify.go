package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/trammel-dev/trammel/dist/checksums"
	"github.com/trammel-dev/trammel/dist/provenance"
)

// verify holds a release in a directory against its checksums and its provenance,
// which the key whose public half is in FILE.pub must have signed.
func verify(dir, key string) error {
	if key == "" {
		return errors.New("-verify needs -key: the public key is read from FILE.pub")
	}
	public, err := publicKey(key)
	if err != nil {
		return err
	}
	verifier, err := note.NewVerifier(public)
	if err != nil {
		return fmt.Errorf("%s.pub: %w", key, err)
	}
	signed, err := os.ReadFile(filepath.Join(dir, "checksums.txt"))
	if err != nil {
		return err
	}
	list, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return fmt.Errorf("checksums.txt: %w", err)
	}
	files := map[string][]byte{}
	for line := range strings.Lines(list.Text) {
		_, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if files[name], err = os.ReadFile(filepath.Join(dir, filepath.Base(name))); err != nil {
			return err
		}
	}
	if checksums.Text(files) != list.Text {
		return errors.New("the files are not those of checksums.txt: run sha256sum -c checksums.txt to see which")
	}
	envelope, err := os.ReadFile(filepath.Join(dir, provenance.Name))
	if err != nil {
		return err
	}
	from, err := provenance.Verify(envelope, public, files)
	if err != nil {
		return fmt.Errorf("%s: %w", provenance.Name, err)
	}
	fmt.Printf("ok: %d files of %s, built from commit %s with %s, signed by %s\n", len(files), from.Version, from.Commit, from.Go,
		verifier.Name())
	return nil
}

// publicKey is the public half of a key, which is beside the private one.
func publicKey(key string) (string, error) {
	data, err := os.ReadFile(key + ".pub")
	return strings.TrimSpace(string(data)), err
}
