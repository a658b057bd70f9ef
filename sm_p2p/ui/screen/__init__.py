"""The full screen as values: a model goes in, styled lines and hit zones come out."""
