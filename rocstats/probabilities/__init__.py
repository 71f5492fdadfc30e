"""How far scores that claim to be probabilities can be believed and used."""
