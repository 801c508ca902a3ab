package names

import (
	"strings"
	"testing"
)

func TestPunycode(t *testing.T) {
	if code, ok := Punycode(strings.Repeat("ü", 200)); ok {
		t.Errorf("a label of 400 bytes is %s", code)
	}
	for text, want := range map[string]string{"bücher": "bcher-kva", "münchen": "mnchen-3ya", "例え": "r8jz45g", "пример": "e1afmkfd",
		"ü": "tda", "他们为什么不说中文": "ihqwcrb4cv8a8dqg056pqjye", "なぜみんな日本語を話してくれないのか": "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa",
		"pročprostěnemluvíčesky": "proprostnemluvesky-uyb24dma41a"} {
		if got, ok := Punycode(text); !ok || got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
		if back, ok := FromPunycode(want); !ok || back != text {
			t.Errorf("%s: got %q back", text, back)
		}
	}
}
