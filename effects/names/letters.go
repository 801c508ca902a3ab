package names

// lookalike is the Latin letter or the sign of ASCII that a character looks like,
// 0 if there is none. The list has what is used to deceive; the long one of
// Unicode has ten times as many that nobody would type.
func lookalike(r rune) rune {
	switch {
	case r < 0x80:
		return 0
	case r >= '！' && r <= '～': // wide
		return r - '！' + '!'
	case r >= 'Ⓐ' && r <= 'Ⓩ':
		return r - 'Ⓐ' + 'a'
	case r >= 'ⓐ' && r <= 'ⓩ':
		return r - 'ⓐ' + 'a'
	case r >= 0x1D400 && r < 0x1D6A4: // mathematical, 13 alphabets of 52 letters
		if n := (r - 0x1D400) % 52; n < 26 {
			return 'A' + n
		} else {
			return 'a' + n - 26
		}
	case r >= 0x1D7CE && r <= 0x1D7FF:
		return '0' + (r-0x1D7CE)%10
	}
	const (
		odd   = "аеорсухіјѕԁԛԝһӏкԍѵАВЕКМНОРСТУХІЈЅԌԚԜӀɡıɑⅰⅴⅹⅼⅽⅾⅿℓοινρκυςΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսհոզցեյᎪᏟᎬᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᏃᗞᏴᏀ"
		latin = "aeopcyxijsdqwhlkgvABEKMHOPCTYXIJSGQWlgiaivxlcdmloivpkucABEZHIKMNOPTYXouhnqgtjACEHJKLMPRSTVWZDBG"
	)
	at := 0
	for _, o := range odd {
		if o == r {
			return rune(latin[at])
		}
		at++
	}
	return 0
}

// withoutAccent is a Latin letter without its accent.
func withoutAccent(r rune) rune {
	const (
		accents = "àáâãäåāăąǎạảçćĉċčďđèéêëēĕėęěẹĝğġģĥħìíîïĩīĭįıịĵķĺļľŀłḷñńņňòóôõöøōŏőọŕŗřśŝşšșţťŧțùúûüũūŭůűųụŵýÿŷźżžẓ"
		letters = "aaaaaaaaaaaacccccddeeeeeeeeeegggghhiiiiiiiiiijkllllllnnnnoooooooooorrrsssssttttuuuuuuuuuuuwyyyzzzz"
	)
	if r < 0x80 {
		return r
	}
	at := 0
	for _, a := range accents {
		if a == r {
			return rune(letters[at])
		}
		at++
	}
	return r
}

// isDot knows full stops that some programs take for one in a host name.
func isDot(r rune) bool { return r == '。' || r == '．' || r == '｡' || r == '․' || r == '‥' }

// isSlash knows signs that look like the slash of a path.
func isSlash(r rune) bool {
	return r == '∕' || r == '⁄' || r == '／' || r == '⧸' || r == '╱' || r == '⟋'
}
