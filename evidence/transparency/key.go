// Package transparency proves that the past of a log was not changed. A chain
// of hashes shows that nothing in it was changed; it cannot show that its end
// was not cut off, or that not all of it was rebuilt. A checkpoint can: a
// signed note of how many records there were and of the root hash of the Merkle
// tree over them (as in golang.org/x/mod/sumdb). With a checkpoint, and without
// the log, one can prove that a record was in the log and that a later log
// still begins with the same records.
package transparency

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/internal/files"
	"golang.org/x/mod/sumdb/note"
)

// Key signs checkpoints.
type Key struct {
	signer note.Signer
	// Verifier is the public half, in the form that checks take:
	// name+hash+key. It is public.
	Verifier string
}

// OpenKey reads the key in the file, or makes one there on first use, readable
// to its owner alone. origin names whose log it signs: "trammel/<project key>".
func OpenKey(path, origin string) (*Key, error) {
	data, err := readKey(path)
	if errors.Is(err, os.ErrNotExist) {
		data, err = makeKey(path, origin)
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint key: %w", err)
	}
	k, err := parseKey(strings.TrimSpace(string(data)))
	if err != nil {
		return nil, fmt.Errorf("the checkpoint key %s is damaged: %w; restore it from a backup", path, err)
	}
	if k.signer.Name() != origin {
		return nil, fmt.Errorf("checkpoint key %s belongs to %s, expected %s", path, k.signer.Name(), origin)
	}
	return k, nil
}

// makeKey writes a new key to a temporary file and then links it into place: if
// two processes make one at the same time, one wins, and both use it.
func makeKey(path, origin string) ([]byte, error) {
	secret, _, err := note.GenerateKey(rand.Reader, origin)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".key-*") // mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(temp.Name())
	_, err = temp.WriteString(secret + "\n")
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(temp.Name(), path); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	return readKey(path)
}

// readKey reads a regular file: a pipe in its place would let everything wait.
func readKey(path string) ([]byte, error) {
	return files.ReadInside(filepath.Dir(path), filepath.Base(path), 1<<16)
}

// parseKey reads a signing key and derives its public half.
func parseKey(secret string) (*Key, error) {
	signer, err := note.NewSigner(secret)
	if err != nil {
		return nil, err
	}
	// PRIVATE+KEY+<name>+<hash>+<algorithm and seed>; the last may hold a plus.
	parts := strings.SplitN(secret, "+", 5)
	raw, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(raw) != 1+ed25519.SeedSize {
		return nil, errors.New("it is not an ed25519 key")
	}
	public := ed25519.NewKeyFromSeed(raw[1:]).Public().(ed25519.PublicKey)
	verifier, err := note.NewEd25519VerifierKey(signer.Name(), public)
	if err != nil {
		return nil, err
	}
	return &Key{signer, verifier}, nil
}
