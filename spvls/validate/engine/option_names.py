"""The validator's options by their flags, in groups, and what each does."""

from __future__ import annotations

#: The validator's switches by their long flags, and what each allows.
SWITCHES = {
    "relax-logical-pointer": "let pointers be stored, and returned from functions, under logical addressing",
    "relax-struct-store": "let a structure be stored to one of another type with the same layout",
    "relax-block-layout": "lay blocks out by the relaxed rules of VK_KHR_relaxed_block_layout",
    "uniform-buffer-standard-layout": "lay uniform buffers out by the rules of storage buffers",
    "scalar-block-layout": "lay blocks out by the rules of scalar alignment",
    "workgroup-scalar-block-layout": "lay blocks in Workgroup out by the rules of scalar alignment",
    "skip-block-layout": "do not check the layout of blocks",
    "allow-localsizeid": "allow LocalSizeId where the environment does not",
    "allow-offset-texture-operand": "allow the image operand Offset where the environment does not",
    "allow-vulkan-32-bit-bitwise": "allow bit instructions on other widths than 32 bits under Vulkan",
    "before-hlsl-legalization": "allow what a compiler of HLSL leaves for legalization, and what relax-logical-pointer allows",
    "reference-verdicts": "report as warnings what spirv-val accepts although the specification forbids it",
    "advice": "give hints on what is deprecated, unused or never reached, as editors show them",
    "simplifications": "give hints on variables, branches and instructions in loops that an action of editors can replace or move",
}

#: Limits, and the number of what each sets (SPIR-V 2.17).
LIMITS = {
    "max-struct-members": "members of a structure",
    "max-struct-depth": "structures nested in each other",
    "max-local-variables": "variables in all functions together",
    "max-global-variables": "variables outside of functions",
    "max-switch-branches": "cases of an OpSwitch",
    "max-function-args": "parameters of a function",
    "max-control-flow-nesting-depth": "constructs nested in each other",
    "max-access-chain-indexes": "indexes of an access chain",
    "max-id-bound": "ids of a module plus one, which is its id bound",
    "max-string-length": "characters of a literal string",
    "max-decorations": "decorations of an id; 0 allows as many as there are kinds of decorations",
    "max-execution-modes": "execution modes of an entry point",
    "max-ext-inst-args": "arguments of an OpExtInst",
}

#: Sizes and alignments of descriptors in memory.
LAYOUTS = {
    "image-descriptor-layout": "of an image descriptor",
    "sampler-descriptor-layout": "of a sampler descriptor",
    "buffer-descriptor-layout": "of a buffer descriptor",
}

#: What the module is to run on.
DEVICES = {
    "device": "the Vulkan device that the module is for: a .json file of Vulkan profiles, or a list such as "
    "1.2,shaderInt64,VK_KHR_ray_query; what it does not have is reported",
}

#: What all options do, by their names in `spvls.validate.engine.options.Options`.
DESCRIPTIONS = {
    "use_friendly_names": "Name the ids of binaries in messages by what they are.",
    **{
        flag.replace("-", "_"): f"{text[:1].upper()}{text[1:]}."
        for flag, text in (
            *SWITCHES.items(),
            *((flag, f"the greatest number of {text}") for flag, text in LIMITS.items()),
            *((flag, f"the size and the alignment {text}, in bytes") for flag, text in LAYOUTS.items()),
            *DEVICES.items(),
        )
    },
}
