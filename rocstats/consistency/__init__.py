"""How often two measures agree, and which decides more (Huang & Ling 2005)."""
