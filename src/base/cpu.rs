//! The vector instructions of this processor: detected once, with a proof type for each
//! set, and macros that compile functions for all of them.

#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

/// The instruction sets that the program is compiled for, each with the proof that this
/// processor has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Simd128),
}

/// The proof that the processor has AVX2, POPCNT, BMI1, BMI2 and LZCNT. Only detection
/// constructs it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Avx2(());

/// The proof that the processor has AVX-512 (F and BW) and all that [`Avx2`] proves.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Avx512(());

/// The vector instructions of WebAssembly. Whether a module uses them is decided at compile
/// time.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Simd128;

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    fn detect() -> Option<Self> {
        let has_bits = is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt");
        (has_bits && is_x86_feature_detected!("avx2")).then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    fn detect() -> Option<Self> {
        Avx2::detect()?;
        (is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw"))
            .then_some(Self(()))
    }
}

impl Instructions {
    /// The instruction sets of this processor, best last.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "only x86-64 chooses at run time")
    )]
    pub(crate) fn available() -> Vec<Self> {
        #[allow(unused_mut, reason = "not all processors have more than one")]
        let mut available = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            available.extend(Avx2::detect().map(Self::Avx2));
            available.extend(Avx512::detect().map(Self::Avx512));
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        available.push(Self::Simd128(Simd128));
        available
    }

    /// The best instruction set of this processor, detected once.
    #[inline(always)]
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            static BEST: LazyLock<Instructions> = LazyLock::new(|| {
                let best = Instructions::available().pop();
                best.unwrap_or(Instructions::Portable)
            });
            *BEST
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        return Self::Simd128(Simd128);
        #[cfg(not(any(
            target_arch = "x86_64",
            all(target_arch = "wasm32", target_feature = "simd128")
        )))]
        Self::Portable
    }

    /// The name of the instruction set.
    #[cfg(any(feature = "program", test))]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "AVX-512",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(_) => "SIMD128",
        }
    }
}

/// Compiles a function for the instructions that [`Avx2`] or [`Avx512`] proves. A caller
/// that holds the proof may call it in an `unsafe` block.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled_for {
    (Avx2: $($function:tt)*) => {
        #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
        $($function)*
    };
    (Avx512: $($function:tt)*) => {
        #[target_feature(enable = "avx512f,avx512bw,avx2,popcnt,bmi1,bmi2,lzcnt")]
        $($function)*
    };
}

/// Compiles a function for AVX2 and AVX-512 too; a call uses the best version for the
/// processor. Callees are compiled along only if they are always inlined, which closures
/// are not. The function may have one constant parameter. The comment at each use states
/// the measured gain.
macro_rules! for_widest_vectors {
    (
        $(#[$doc:meta])*
        $visibility:vis fn $name:ident$(<const $n:ident: usize>)?(
            $($arg:ident: $type:ty),* $(,)?
        ) $(-> $result:ty)? $body:block
    ) => {
        $(#[$doc])*
        $visibility fn $name$(<const $n: usize>)?($($arg: $type),*) $(-> $result)? {
            #[inline(always)]
            fn generic$(<const $n: usize>)?($($arg: $type),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            {
                use $crate::cpu::Instructions;
                compiled_for! { Avx2:
                    fn avx2$(<const $n: usize>)?($($arg: $type),*) $(-> $result)? { generic($($arg),*) }
                }
                compiled_for! { Avx512:
                    fn avx512$(<const $n: usize>)?($($arg: $type),*) $(-> $result)? { generic($($arg),*) }
                }
                match Instructions::best() {
                    // SAFETY: the value proves that the processor has the instructions.
                    Instructions::Avx512(_) => return unsafe { avx512($($arg),*) },
                    // SAFETY: as above.
                    Instructions::Avx2(_) => return unsafe { avx2($($arg),*) },
                    Instructions::Portable => {}
                }
            }
            generic($($arg),*)
        }
    };
}
