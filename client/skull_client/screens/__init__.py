"""One screen for each stage of an evening, and the small windows that open above them."""
