// Package checksums writes the list that vouches for a release: a line per file
// as sha256sum prints it, signed with Ed25519 in the format of signed notes
// (golang.org/x/mod/sumdb/note). The private key is kept off line.
package checksums

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Text is the list of files, by name.
func Text(files map[string][]byte) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(files[name]), name)
	}
	return b.String()
}

// Sign is a list with its signature. A signature that the public key does not
// open is refused: whoever installs the release has that key and no other.
func Sign(text, secret, public string) ([]byte, error) {
	signer, err := note.NewSigner(secret)
	if err != nil {
		return nil, fmt.Errorf("the private key: %w", err)
	}
	verifier, err := note.NewVerifier(public)
	if err != nil {
		return nil, fmt.Errorf("the public key: %w", err)
	}
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		return nil, err
	}
	if _, err := note.Open(signed, note.VerifierList(verifier)); err != nil {
		return nil, fmt.Errorf("the private key %s does not belong to the public key %s: %w", signer.Name(), verifier.Name(), err)
	}
	return signed, nil
}

// Key splits a public key (name+hash+key) into its name and the base64 of its
// 32 bytes, which is what openssl needs to know.
func Key(public string) (name, raw string, err error) {
	if _, err := note.NewVerifier(public); err != nil {
		return "", "", fmt.Errorf("the public key: %w", err)
	}
	parts := strings.SplitN(public, "+", 3) // the last may hold a plus
	data, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(data) != 33 {
		return "", "", fmt.Errorf("the public key %s has %d bytes, expected 33", parts[0], len(data))
	}
	return parts[0], base64.StdEncoding.EncodeToString(data[1:]), nil
}
