"""What a person sees and types: sentences, line mode, and what was played told again."""
