package bundles

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// NewKey makes a signing key and its public key.
func NewKey(name string) (secret, public string, err error) {
	if !nameForm().MatchString(name) {
		return "", "", fmt.Errorf("the name of the key is %q, expected lower-case letters, digits and . _ -", name)
	}
	return note.GenerateKey(rand.Reader, name)
}

// CheckKey returns what is wrong with a public key.
func CheckKey(public string) error {
	_, err := note.NewVerifier(public)
	return err
}

// KeyNames lists the names of public keys for people; "" is no key.
func KeyNames(keys []string) string {
	var out []string
	for _, key := range keys {
		name := "no key"
		if v, err := note.NewVerifier(key); err == nil {
			name = short(v.Name(), v.KeyHash())
		}
		out = append(out, name)
	}
	return strings.Join(out, " or ")
}

// statement is the text that signatures of a bundle cover.
func (b *Bundle) statement() string {
	return fmt.Sprintf("trammel bundle 1\n%s %s %s\n", b.Name, b.Version, b.Sum)
}

// Sign returns the signature file. It keeps earlier signatures of exactly this bundle, so
// that several people can sign.
func (b *Bundle) Sign(secrets ...string) ([]byte, error) {
	earlier, _ := b.File(Signature)
	return SignText(b.statement(), earlier, secrets...)
}

// Verify checks that one of the keys has signed this bundle, and returns which. An empty
// list is an error, because nothing would be checked.
func (b *Bundle) Verify(keys ...string) (signer string, err error) {
	signature, ok := b.File(Signature)
	if !ok {
		return "", fmt.Errorf("the bundle %s is not signed: it has no %s", b, Signature)
	}
	text, signer, err := OpenText(signature, keys...)
	if err != nil {
		return "", fmt.Errorf("the signature of the bundle %s: %w", b, err)
	}
	if text != b.statement() {
		return "", fmt.Errorf("the signature of the bundle %s is for other content: it says %q, expected %q", b,
			strings.TrimSpace(lastLine(text)), strings.TrimSpace(lastLine(b.statement())))
	}
	return signer, nil
}

func lastLine(text string) string {
	text = strings.TrimSuffix(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// CheckSecret returns why a text is not a key to sign with, or nil. The error
// does not contain the text.
func CheckSecret(secret string) error {
	secret = strings.TrimSpace(secret)
	if _, err := note.NewVerifier(secret); err == nil {
		return errors.New("this is the public key, which only checks signatures; to sign, name the file NAME.key next to it")
	}
	if _, err := note.NewSigner(secret); err != nil {
		return errors.New("this is not a signing key; make one with: trammel bundle keygen")
	}
	return nil
}

// SignText signs a text, and keeps the signatures of others for the same text.
func SignText(text string, earlier []byte, secrets ...string) ([]byte, error) {
	if len(secrets) == 0 {
		return nil, errors.New("there is no signing key")
	}
	n := &note.Note{Text: text}
	var unverified *note.UnverifiedNoteError
	if _, err := note.Open(earlier, note.VerifierList()); errors.As(err, &unverified) && unverified.Note.Text == text {
		n.UnverifiedSigs = unverified.Note.UnverifiedSigs
	}
	var signers []note.Signer
	for _, secret := range secrets {
		if err := CheckSecret(secret); err != nil {
			return nil, err
		}
		s, err := note.NewSigner(strings.TrimSpace(secret))
		if err != nil {
			return nil, err
		}
		signers = append(signers, s)
	}
	return note.Sign(n, signers...)
}

// ErrSigner means that somebody else has signed the text.
var ErrSigner = errors.New("none of the named keys has signed it")

// short is the form of a key for people.
func short(name string, hash uint32) string { return fmt.Sprintf("%s+%08x", name, hash) }

// OpenText returns a signed text and the first of the keys that has signed it. It ignores
// signatures of other keys.
func OpenText(signed []byte, keys ...string) (text, signer string, err error) {
	if len(keys) == 0 {
		return "", "", errors.New("the list of keys is empty, so no signature is valid")
	}
	var known []note.Verifier
	for _, key := range keys {
		v, err := note.NewVerifier(key)
		if err != nil {
			return "", "", fmt.Errorf("%q is not a public key: %w", key, err)
		}
		known = append(known, v)
	}
	n, err := note.Open(signed, note.VerifierList(known...))
	var unverified *note.UnverifiedNoteError
	switch {
	case errors.As(err, &unverified):
		var found []string
		for _, s := range unverified.Note.UnverifiedSigs {
			found = append(found, short(s.Name, s.Hash))
		}
		return "", "", fmt.Errorf("%w: it is signed by %s, expected %s", ErrSigner, strings.Join(found, " and "), KeyNames(keys))
	case err != nil:
		return "", "", err
	}
	for _, s := range append(n.Sigs, n.UnverifiedSigs...) {
		if _, err := base64.StdEncoding.Strict().DecodeString(s.Base64); err != nil { // the note package accepts several spellings of a signature
			return "", "", errors.New("a signature is not in canonical form")
		}
	}
	return n.Text, short(n.Sigs[0].Name, n.Sigs[0].Hash), nil
}
